#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/contract/contract.h"
#include "croq/model/problem.h"
#include "croq/model/search_space.h"
#include "croq/source/made_lists.h"
#include "croq/source/names.h"
#include "croq/source/syntax.h"
#include "croq/tune/brought/host_steps.h"
#include "croq/tune/brought/levers.h"

namespace croq::tune {

/// What the command line says of a brought file.
struct BroughtOptions {
  std::string entry;                         ///< --entry; empty: the table's
  std::map<std::string, std::int64_t> dims;  ///< --dims
  bool widen = false;                        ///< --widen
  std::string shape;                         ///< --shape, for a file without a table
  source::ReadMadeLists made;                ///< of LeverOptions
};

/// A person's file as it was read once: what it computes and what of it can be tuned.
struct BroughtFile {
  std::filesystem::path path;      ///< absolute
  std::string hash;                ///< of its bytes
  std::unique_ptr<source::SyntaxTree> tree;
  std::unique_ptr<source::Names> names;
  ShapeKey shape;
  std::optional<Problem> problem;  ///< nothing: it follows the contract, kernel_fn(a, b) of `shape`
  std::vector<BroughtLever> levers;
  SearchSpace space;
  Config first;                    ///< the file's own first configuration

  /// kernel_fn where there is no problem.
  const std::string& Entry() const;
};

/// Usage errors: it can't be read or parsed, its table is wrong, it states no problem, it has no
/// levers.
Result<BroughtFile> ReadBroughtFile(const std::filesystem::path& path, TreeReader& reader,
                                    const contract::Contract& contract,
                                    const BroughtOptions& options);

}  // namespace croq::tune
