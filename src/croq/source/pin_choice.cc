#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "croq/base/suggest.h"
#include "croq/source/outline.h"
#include "croq/source/pin.h"
#include "croq/source/pin_parts.h"
#include "croq/source/tune_settings.h"

namespace croq::source {
namespace {

/// Whether a person's `text` means this group: name, qualified name or name:line.
bool IsMeant(const PinGroup& group, const std::string& text) {
  return std::any_of(group.members.begin(), group.members.end(), [&](const Autotuned& member) {
    return text == member.name || text == member.qualified ||
           text == fmt::format("{}:{}", member.name, member.place().span.line) ||
           text == fmt::format("{}:{}:{}", member.name, member.place().span.line,
                               member.place().span.column + 1);
  });
}

/// Says of a decorator that takes configs without being triton.autotune; empty where there is none.
std::string ForeignTuner(const SyntaxTree& tree) {
  const Node* found = nullptr;
  Walk(tree.root(), [&](const Node& node) {
    const bool configs = node.Is(Kind::kKeyword) && node.text == "configs" &&
                         node.parent->field == Field::kDecorators;
    if (configs && found == nullptr) found = node.parent;
    return found == nullptr;
  });
  if (found == nullptr) return {};
  return fmt::format("; the decorator '{}' on line {} takes configs, but only triton.autotune is "
                     "understood", tree.Text(*found->Child(Field::kFunc)), found->span.line);
}

/// Says of a name where it is imported from; empty where it is not.
std::string ImportedFrom(const SyntaxTree& tree, const Names& names, const std::string& text) {
  for (const Binding* binding : names.BindingsIn(tree.root())) {
    const Node& node = *binding->node;
    if (binding->name == text && node.Is(Kind::kAlias) && node.parent->Is(Kind::kImportFrom))
      return fmt::format(" (it comes from '{}': pin that file)", node.parent->text);
  }
  return {};
}

/// A value as Python text: as the file writes it where it is a literal or a name of Triton's, else
/// what follows from literals (a comprehension's variable).
Result<std::string> TextOfSetting(const PinWork& work, const Setting& setting) {
  if (const auto text = LiteralText(work.tree, work.names, *setting.node)) return *text;
  if (setting.literal) return ToText(*setting.literal);
  if (KindOfKey(setting.name) == KeyKind::kForeign) return std::string(work.tree.Text(*setting.node));
  return work.Refuse(*setting.node, fmt::format("the value of '{}' is computed; give the whole "
                                                "configuration with --config", setting.name));
}

Status TakeConfig(const PinWork& work, PinGroup& group, const ConfigInfo& config) {
  for (const auto* settings : {&config.kwargs, &config.options}) {
    for (const Setting& setting : *settings) {
      const bool option = settings == &config.options;
      if (option && KindOfKey(setting.name) == KeyKind::kConstant) {
        return work.Refuse(*setting.node, fmt::format("no argument '{}' of Config is known; give the "
                                                      "configuration with --config", setting.name));
      }
      CROQ_ASSIGN(std::string text, TextOfSetting(work, setting));
      if (const Status added = AddValue(group.config, setting.name, std::move(text)); !added)
        return Wrap(added.error(), PlaceOf(work.tree, *setting.node));
    }
  }
  group.config_call = config.node;
  return {};
}

Status CheckIndex(const PinWork& work, const PinGroup& group, std::size_t index,
                  std::size_t count) {
  if (index < count) return {};
  return work.Refuse(group.members.front().place(),
                     fmt::format("'{}' has {} configurations, so --index goes from 0 to {}, not {}",
                                 group.name, count, std::max<std::size_t>(count, 1) - 1, index));
}

/// The configuration at `index` of what the file makes when it is imported.
Status TakeMade(const PinWork& work, PinGroup& group, std::size_t index,
                const ReadMadeLists& made) {
  CROQ_ASSIGN(const std::vector<MadeList> lists, made());
  CROQ_ASSIGN(const MadeList list, MadeListOf(work.tree, group.members.front(), lists));
  if (index >= list.configs.size() && list.configs.size() >= kMostMadeConfigs) {
    return work.Refuse(group.members.front().place(),
                       fmt::format("only the first {} configurations of '{}' are read, so --index "
                                   "goes from 0 to {}, not {}; give it with --config",
                                   kMostMadeConfigs, group.name, kMostMadeConfigs - 1, index));
  }
  CROQ_TRY(CheckIndex(work, group, index, list.configs.size()));
  const MadeConfig& config = list.configs[index];
  if (!config.problem.empty()) {
    return work.Refuse(group.members.front().place(),
                       fmt::format("configuration {} of '{}', as the import shows it: {}", index,
                                   group.name, config.problem));
  }
  group.config = config.values;
  group.made = MadeFacts{config.pre_hook, list.configs.size() == 1};
  return {};
}

}  // namespace

std::string ListAutotuned(const std::vector<Autotuned>& all) {
  std::string text;
  for (const Autotuned& one : all) {
    const bool twice = std::count_if(all.begin(), all.end(), [&](const Autotuned& other) {
                         return other.qualified == one.qualified &&
                                other.place().span.line == one.place().span.line;
                       }) > 1;
    text += fmt::format("{}{} (line {}{})", text.empty() ? "" : ", ", one.qualified,
                        one.place().span.line,
                        twice ? fmt::format(", column {}", one.place().span.column + 1) : "");
  }
  return text.empty() ? "none" : text;
}

std::vector<PinGroup> GroupsOf(const Names& names, const std::vector<Autotuned>& all) {
  std::vector<PinGroup> groups;
  for (const Autotuned& one : all) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const PinGroup& group) {
      const Autotuned& first = group.members.front();
      return !one.anonymous && !first.anonymous && first.name == one.name &&
             &names.ScopeOf(first.place()) == &names.ScopeOf(one.place());
    });
    if (same != groups.end()) same->members.push_back(one);
    else groups.push_back({one.name, {one}, {}, nullptr, {}});
  }
  return groups;
}

Result<PinGroup*> ChooseGroup(const SyntaxTree& tree, const Names& names,
                              std::vector<PinGroup>& groups,
                         const std::vector<Autotuned>& all, const std::string& text) {
  if (all.empty()) {
    return UsageFailure(fmt::format("{}: there is no autotuned kernel in it to pin{}", tree.path(),
                                    ForeignTuner(tree)));
  }
  std::vector<PinGroup*> meant;
  std::vector<std::string> known;
  for (PinGroup& group : groups) {
    if (text.empty() || IsMeant(group, text)) meant.push_back(&group);
    known.push_back(group.name);
  }
  if (meant.size() == 1) return meant.front();
  if (meant.empty()) {
    const std::string near = Suggest(text, known);
    return UsageFailure(fmt::format("{}: no autotuned kernel '{}'{}; there are {}{}", tree.path(),
                                    text, ImportedFrom(tree, names, text), ListAutotuned(all),
                                    near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
  }
  return UsageFailure(fmt::format("{}: {} autotuned kernels {}: {}; say which with --kernel NAME (or NAME:LINE, NAME:LINE:COLUMN)",
                                  tree.path(), meant.size(),
                                  text.empty() ? "are in it" : fmt::format("are called '{}'", text),
                                  ListAutotuned(all)));
}

Status TakeFromList(const PinWork& work, PinGroup& group, std::size_t index,
                    const ReadMadeLists& made) {
  if (group.members.size() > 1) {
    return work.Refuse(group.members[1].place(),
                       fmt::format("'{}' is defined more than once, each time with a list of its "
                                   "own; give a configuration with --config", group.name));
  }
  const Node& settings = *group.members.front().settings;
  const Node* list = ArgumentOf(settings, "configs", 0);
  const auto literal = list != nullptr ? LiteralConfigs(work.tree, work.names, *list)
                                       : std::vector<const Node*>{};
  if (literal) {
    CROQ_TRY(CheckIndex(work, group, index, literal->size()));
    Result<PinConfig> config = ReadConfig(work.tree, work.names, *(*literal)[index]);
    if (!config && made) return TakeMade(work, group, index, made);  // a value that is computed
    CROQ_ASSIGN(group.config, std::move(config));
    group.config_call = (*literal)[index];
    return {};
  }
  const Outline outline = MakeOutline(work.tree, work.names);  // follows comprehensions too
  const auto found = std::find_if(
      outline.autotunes.begin(), outline.autotunes.end(),
      [&](const AutotuneInfo& autotune) { return autotune.call == &settings; });
  const bool known = found != outline.autotunes.end() && found->configs_known;
  if (!known && made) return TakeMade(work, group, index, made);
  if (!known) {
    return work.Refuse(group.members.front().place(),
                       fmt::format("which configurations '{}' has is only known when the file runs; "
                                   "give one with --config", group.name));
  }
  CROQ_TRY(CheckIndex(work, group, index, found->configs.size()));
  PinGroup read = group;
  const Status taken = TakeConfig(work, read, found->configs[index]);
  if (!taken && made) return TakeMade(work, group, index, made);
  if (taken) group = std::move(read);
  return taken;
}

Status CheckHidden(const PinWork& work, const std::vector<Autotuned>& all,
                   const std::string& text) {
  Status status;
  Walk(work.tree.root(), [&](const Node& node) {
    if (!node.Is(Kind::kFunctionDef) || (!text.empty() && text != node.text)) return true;
    const bool listed = std::any_of(all.begin(), all.end(), [&](const Autotuned& one) {
      return one.definition == &node;
    });
    if (listed) return true;
    for (const Node* decorator : node.Children(Field::kDecorators)) {
      const Node* mention = AutotuneWithin(work.names, *decorator);
      if (mention == nullptr || !status) continue;
      status = work.Refuse(*decorator,
                           fmt::format("'{}' gets its autotuner from a function of the file (line "
                                       "{}); write @triton.autotune at the kernel, then pin it",
                                       node.text, mention->span.line));
    }
    return true;
  });
  return status;
}

Status CheckKeys(const PinWork& work, const PinGroup& group) {
  for (const Autotuned& member : group.members) {
    if (!member.parameters) continue;
    for (const auto& [name, value] : group.config.constants) {
      if (std::find(member.parameters->begin(), member.parameters->end(), name) !=
          member.parameters->end())
        continue;
      const std::string near = Suggest(name, *member.parameters);
      return work.Refuse(*member.kernel,
                         fmt::format("'{}' is no parameter of '{}', which has {}{}", name,
                                     member.qualified, fmt::join(*member.parameters, ", "),
                                     near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
    }
  }
  return {};
}

Status CheckShape(const PinWork& work, const PinGroup& group) {
  for (const Autotuned& member : group.members) {
    if (member.inner != nullptr) {
      return work.Refuse(*member.inner,
                         fmt::format("'{}' has two autotuners around it, and this inner one is "
                                     "ignored or clashes with the outer: take one out first",
                                     member.qualified));
    }
  }
  return {};
}

}  // namespace croq::source
