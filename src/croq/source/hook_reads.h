#pragma once

#include <map>
#include <optional>
#include <string>

#include "croq/source/names.h"
#include "croq/source/syntax.h"

/// What a hook of a configuration takes out of the dictionary that it is handed.
namespace croq::source {

/// Each name that a hook reads; true where it must be there (`nargs["x"]`, not `nargs.get("x")`).
using HookReads = std::map<std::string, bool>;

/// The reads of a hook that does nothing else with its dictionary; nothing where it may do more, or
/// its code is not in this file. `hook` is a name, a lambda, or a call that IsHookMaker holds of.
std::optional<HookReads> ReadsOfHook(const Names& names, const Node& hook);

/// Whether a call only makes a hook, of literals: `init_to_zero("C")` of
/// `def init_to_zero(name): return lambda nargs: nargs[name].zero_()`. Such a call may be repeated.
bool IsHookMaker(const Names& names, const Node& call);

}  // namespace croq::source
