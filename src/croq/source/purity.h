#pragma once

#include <string>
#include <vector>

#include "croq/contract/contract.h"
#include "croq/source/finding.h"
#include "croq/source/names.h"
#include "croq/source/syntax.h"

/// The contract's Pure Implementation Rule, judged on a file's syntax tree by zone:
///   module  what runs when the file is imported
///   jit     the bodies of kernels
///   hot     the launcher and all that it reaches: helpers, grids, hooks, heuristics, defaults
///   cold    everything else: verify(), bench(), main
/// In module, jit and hot code what is not allowed is forbidden; in cold code only what could reach
/// into the other zones is. The names are data, in contracts/triton.toml.
namespace croq::source {

struct PurityOptions {
  int iteration = 1;                 ///< 0: the baseline, which may call torch.matmul and search
  std::vector<std::string> entries;  ///< launchers: `f`, `Class.f`; empty: the entry of the file's
                                     ///< CROQ table, else kernel_fn, else each function that launches
};

struct PurityReport {
  std::vector<Finding> findings;  ///< sorted by place, then code
  bool accepted() const;          ///< no finding is a reject
};

PurityReport CheckPurity(const SyntaxTree& tree, const Names& names,
                         const contract::Contract& contract, const PurityOptions& options);

/// The report on a file that the parser refused; line from 1, column from 0.
PurityReport Unparsed(const std::string& message, int line, int column);

}  // namespace croq::source
