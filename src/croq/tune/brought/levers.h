#pragma once

#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/contract/contract.h"
#include "croq/model/search_space.h"
#include "croq/source/made_lists.h"
#include "croq/source/names.h"
#include "croq/source/syntax.h"

namespace croq::tune {

/// Where a lever of a brought file lies.
enum class LeverHome {
  kAutotune,  ///< in the configurations of an autotuned kernel: pinned
  kLiteral,   ///< a literal of the file, a module constant or a launch keyword: replaced in place
};

struct BroughtLever {
  /// The name is the kernel's or constant's own, behind `kernel.` where several kernels are
  /// autotuned. Values are those of literals.h.
  Lever lever;
  LeverValue first;  ///< what the file says
  LeverHome home = LeverHome::kAutotune;
  std::vector<const source::Node*> places;  ///< of kLiteral: the literals to replace
};

struct LeverOptions {
  /// The table's "levers"; they add to the autotuners' and replace those of the same name.
  std::vector<Lever> declared;
  /// Also the contract's lever names, with the contract's values: a file without a table.
  bool contract_names = false;
  /// Opens each autotuned number to the next power of two below and above, num_stages by one.
  bool widen = false;
  /// Asked for lists of configurations that can't be read in the file; null: these are refused.
  source::ReadMadeLists made;
};

/// The levers of a file, none of them twice. Usage error with its place where an autotuner's
/// configurations can't be read, or a declared lever is nowhere in the file.
Result<std::vector<BroughtLever>> FindLevers(const source::SyntaxTree& tree,
                                             const source::Names& names,
                                             const contract::Contract& contract,
                                             const LeverOptions& options);

}  // namespace croq::tune
