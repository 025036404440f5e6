#pragma once

#include <vector>

#include "croq/source/names.h"
#include "croq/source/syntax.h"

/// The functions that an autotuner would have called: hooks of its configurations, and its pruner.
namespace croq::source {

/// A Config.pre_hook and where it is written.
struct ConfigHooks {
  std::vector<const Node*> hooks;  ///< each different expression once
  bool some_without = false;       ///< a Config without one is among them
  const Node* unread = nullptr;    ///< a part of the list whose Configs are not in this file
};
/// The hooks of all Config calls that a configs expression leads to: through names, comprehensions
/// and functions of the file (a hook that is handed to such a function is followed to its caller).
ConfigHooks HooksOf(const SyntaxTree& tree, const Names& names, const Node& configs);

/// The Config.pre_hook of one call; null where it has none.
const Node* HookOf(const Node& config_call);

/// The place where a pruner may hand back configurations that are not in its list: it makes a Config
/// or writes into one. Null where it does neither; `unread` where its code is not in this file.
struct PrunerFacts {
  const Node* rewrites = nullptr;
  bool unread = false;
  bool chooses = false;  ///< there is an early_config_prune, which depends on the arguments
};
PrunerFacts ReadPruner(const Names& names, const Node& prune_configs_by);

}  // namespace croq::source
