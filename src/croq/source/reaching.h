#pragma once

#include <vector>

#include "croq/source/names.h"

/// Inside the module: which of a name's bindings a use can see, by where the statements stand.
namespace croq::source {

/// The bindings that a use of a name may see: those that a later one, on the way that every run
/// takes to the use, has not replaced. `f = wrap(f)` sees what f was before. All of them where the
/// use stands in another function than the bindings, or in a loop.
std::vector<const Binding*> ReachingBindings(const Names& names, const Node& name);

/// Whether both statements stand in one block: either runs wherever the other does.
bool InOneBlock(const Node& one, const Node& other);

}  // namespace croq::source
