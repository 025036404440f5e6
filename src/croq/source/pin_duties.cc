#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "croq/source/pin_parts.h"
#include "croq/source/tune_callables.h"
#include "croq/source/tune_settings.h"

namespace croq::source {
namespace {

constexpr std::array kParameters = {"configs",       "key",      "prune_configs_by", "reset_to_zero",
                                    "restore_value", "pre_hook", "post_hook",        "warmup",
                                    "rep",           "use_cuda_graph", "do_bench",   "cache_results"};

bool IsNothing(const Node* node) {
  if (node == nullptr) return true;
  return (node->Is(Kind::kConstant) && node->constant == ConstantType::kNone) ||
         ((node->Is(Kind::kList) || node->Is(Kind::kTuple)) && node->children.empty());
}

/// The arguments of triton.autotune by name; what a readable `**table` holds is among them.
std::map<std::string, const Node*> SettingsOf(PinWork& work, const Node& call) {
  std::map<std::string, const Node*> settings;
  for (std::size_t i = 0; i < kParameters.size(); ++i) {
    if (const Node* given = ArgumentOf(call, kParameters[i], i)) settings[kParameters[i]] = given;
  }
  for (const Node* keyword : call.Children(Field::kKeywords)) {
    if (!keyword->text.empty()) continue;
    const Node& table = Followed(work.names, *keyword->Child(Field::kValue));
    const auto keys = table.Children(Field::kKeys);
    const auto values = table.Children(Field::kValues);
    if (!table.Is(Kind::kDict) || keys.size() != table.children.size() - values.size()) {
      work.Warn(*keyword, fmt::format("what '{}' holds can't be seen from this file: a reset_to_zero "
                                      "or hook in it would be lost", work.tree.Text(*keyword)));
      continue;
    }
    for (std::size_t i = 0; i < keys.size() && i < values.size(); ++i)
      settings[std::string(keys[i]->text)] = values[i];
  }
  return settings;
}

/// Whether a configuration of the file is the one that is pinned.
bool IsThisConfig(const PinWork& work, const Node& call, const PinConfig& wanted) {
  const auto config = ReadConfig(work.tree, work.names, call);
  if (!config) return false;
  auto a = AllValues(*config);
  auto b = AllValues(wanted);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

using Settings = std::map<std::string, const Node*>;

const Node* Get(const Settings& settings, const char* name) {
  const auto found = settings.find(name);
  return found != settings.end() && !IsNothing(found->second) ? found->second : nullptr;
}

/// The Config.pre_hook that goes with the pinned configuration.
Result<const Node*> FindHook(PinWork& work, const PinGroup& group, const Settings& settings,
                             const std::optional<std::vector<const Node*>>& literal) {
  const Node* config = group.config_call;
  if (config == nullptr && literal) {
    const auto same = std::find_if(literal->begin(), literal->end(), [&](const Node* call) {
      return IsThisConfig(work, *call, group.config);
    });
    config = same != literal->end() ? *same : nullptr;
  }
  if (config != nullptr) {
    const Node* hook = HookOf(*config);
    return IsNothing(hook) ? nullptr : hook;
  }
  const Node* configs = Get(settings, "configs");
  if (configs == nullptr || (group.made && !group.made->pre_hook)) return nullptr;
  const ConfigHooks found = HooksOf(work.tree, work.names, *configs);
  if (group.made && (found.hooks.size() != 1 || found.unread != nullptr)) {
    return work.Refuse(*configs, fmt::format("the configuration of '{}' has a pre_hook, and which "
                                             "one can't be seen in this file", group.name));
  }
  if (group.made) return found.hooks.front();
  if (found.hooks.size() > 1 || (!found.hooks.empty() && found.some_without)) {
    return work.Refuse(*found.hooks.front(),
                       fmt::format("some configurations of '{}' have this pre_hook and others do "
                                   "not, and the one to pin is none of the list: pin one of them "
                                   "with --index", group.name));
  }
  if (found.unread != nullptr) {
    work.Warn(*found.unread, fmt::format("the configurations of '{}' come from here, which can't be "
                                         "seen from this file: a pre_hook in them would be lost",
                                         group.name));
  }
  return found.hooks.empty() ? nullptr : found.hooks.front();
}

/// `config.pre_hook = f` somewhere: which configuration gets it can't be told.
const Node* AssignedHook(const SyntaxTree& tree) {
  const Node* found = nullptr;
  Walk(tree.root(), [&](const Node& node) {
    if (node.Is(Kind::kAttribute) && node.access == Access::kStore && node.text == "pre_hook")
      found = &node;
    return found == nullptr;
  });
  return found;
}

Status CheckPruner(PinWork& work, const PinGroup& group, const Settings& settings) {
  const Node* pruner = Get(settings, "prune_configs_by");
  if (pruner == nullptr) return {};
  const PrunerFacts facts = ReadPruner(work.names, *pruner);
  if (facts.rewrites != nullptr && (group.config_call != nullptr || group.made)) {
    return work.Refuse(*facts.rewrites,
                       fmt::format("the pruner of '{}' makes or changes configurations here, so one "
                                   "of the list need not be what is launched: give what it returns "
                                   "with --config (croq outline --evaluate --shape shows it)",
                                   group.name));
  }
  if (facts.chooses && !facts.unread) {
    work.Warn(*pruner, fmt::format("the pruner of '{}' is not asked any more: what it would have "
                                   "left out for some arguments is launched all the same",
                                   group.name));
  }
  if (facts.unread) {
    work.Warn(*pruner, fmt::format("the pruner of '{}' is not in this file: whether it would take "
                                   "this configuration as it is can't be seen", group.name));
  }
  return {};
}

/// Settings that only touch trials, for the report.
std::string Dropped(const Settings& settings, bool single) {
  std::vector<std::string> names;
  for (const char* name : {"restore_value", "post_hook"}) {
    if (Get(settings, name) != nullptr) names.emplace_back(name);
  }
  if (single) {
    for (const char* name : {"reset_to_zero", "pre_hook"}) {
      if (Get(settings, name) != nullptr) names.emplace_back(name);
    }
  }
  if (names.empty()) return {};
  return fmt::format(" ({}: only for trials{}, so nothing has to take {} place)",
                     fmt::join(names, ", "),
                     single ? ", and one configuration has none" : "",
                     names.size() == 1 ? "its" : "their");
}

Status ReadZeroed(const PinWork& work, const Autotuned& member, const Settings& settings,
                  LaunchDuties& duties) {
  const Node* reset = Get(settings, "reset_to_zero");
  if (reset == nullptr) return {};
  const auto zeroed = StringsOf(work.names, *reset);
  if (!zeroed) {
    return work.Refuse(*reset, "which arguments are reset to zero is computed; write their names "
                               "out, or zero them in the launcher and drop reset_to_zero");
  }
  for (const std::string& name : *zeroed) {
    if (member.parameters && std::find(member.parameters->begin(), member.parameters->end(),
                                       name) == member.parameters->end()) {
      return work.Refuse(*reset, fmt::format("reset_to_zero names '{}', which is no parameter of "
                                             "'{}'", name, member.qualified));
    }
  }
  duties.zeroed = *zeroed;
  return {};
}

Result<LaunchDuties> DutiesOfMember(PinWork& work, const PinGroup& group,
                                    const Autotuned& member) {
  LaunchDuties duties;
  const Settings settings = SettingsOf(work, *member.settings);
  const Node* configs = Get(settings, "configs");
  const auto literal = configs != nullptr ? LiteralConfigs(work.tree, work.names, *configs)
                                          : std::vector<const Node*>{};
  const bool single = group.made ? group.made->single : literal && literal->size() <= 1;
  CROQ_TRY(CheckPruner(work, group, settings));
  if (const Node* assigned = AssignedHook(work.tree); assigned != nullptr) {
    return work.Refuse(*assigned, "a configuration gets its pre_hook here; write it as an argument "
                                  "of the Config, so that croq can see whose it is");
  }
  CROQ_ASSIGN(duties.hook, FindHook(work, group, settings, literal));
  duties.dropped = Dropped(settings, single);
  if (single) return duties;
  if (const Node* hook = Get(settings, "pre_hook"); hook != nullptr) {
    return work.Refuse(*hook, fmt::format("the autotuner of '{}' runs this pre_hook at each trial "
                                          "and at the first launch of each key, but at no later "
                                          "one: call it in the launcher where it is needed and drop "
                                          "pre_hook", group.name));
  }
  CROQ_TRY(ReadZeroed(work, member, settings, duties));
  return duties;
}

std::string HookText(const PinWork& work, const Node* hook) {
  return hook == nullptr ? std::string() : std::string(work.tree.Text(*hook));
}

}  // namespace

Result<LaunchDuties> DutiesOf(PinWork& work, const PinGroup& group) {
  CROQ_ASSIGN(LaunchDuties duties, DutiesOfMember(work, group, group.members.front()));
  for (std::size_t i = 1; i < group.members.size(); ++i) {
    CROQ_ASSIGN(const LaunchDuties other, DutiesOfMember(work, group, group.members[i]));
    if (HookText(work, other.hook) != HookText(work, duties.hook) ||
        other.zeroed != duties.zeroed) {
      return work.Refuse(group.members[i].place(),
                         fmt::format("the definitions of '{}' have different hooks or "
                                     "reset_to_zero; a launch can't do right by both", group.name));
    }
  }
  return duties;
}

}  // namespace croq::source
