#include "croq/source/pin.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "croq/base/suggest.h"
#include "croq/source/pin_parts.h"
#include "croq/source/tune_settings.h"

namespace croq::source {
namespace {

/// All definitions of one name in one scope; a call without a name stands alone.
std::vector<PinGroup> GroupsOf(const Names& names, const std::vector<Autotuned>& all) {
  std::vector<PinGroup> groups;
  for (const Autotuned& one : all) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const PinGroup& group) {
      const Autotuned& first = group.members.front();
      return !one.anonymous && !first.anonymous && first.name == one.name &&
             &names.ScopeOf(first.place()) == &names.ScopeOf(one.place());
    });
    if (same != groups.end()) same->members.push_back(one);
    else groups.push_back({one.name, {one}, {}, nullptr});
  }
  return groups;
}

/// Whether a person's `text` means this group: name, qualified name or name:line.
bool IsMeant(const PinGroup& group, const std::string& text) {
  return std::any_of(group.members.begin(), group.members.end(), [&](const Autotuned& member) {
    return text == member.name || text == member.qualified ||
           text == fmt::format("{}:{}", member.name, member.place().span.line);
  });
}

Result<PinGroup*> Choose(const SyntaxTree& tree, std::vector<PinGroup>& groups,
                         const std::vector<Autotuned>& all, const std::string& text) {
  if (all.empty()) {
    return UsageFailure(fmt::format("{}: there is no autotuned kernel in it to pin", tree.path()));
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
    return UsageFailure(fmt::format("{}: no autotuned kernel '{}'; there are {}{}", tree.path(), text,
                                    ListAutotuned(all),
                                    near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
  }
  return UsageFailure(fmt::format("{}: {} autotuned kernels {}: {}; say which with --kernel NAME (or NAME:LINE)",
                                  tree.path(), meant.size(),
                                  text.empty() ? "are in it" : fmt::format("are called '{}'", text),
                                  ListAutotuned(all)));
}

/// Refuses names that are no parameter of the kernel.
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

/// What can't be pinned whatever the configuration.
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

/// Whether a heuristic above the autotuner might look at what the configuration sets; it saw none
/// of it until now.
bool HeuristicsLook(const PinWork& work, const PinGroup& group, const Node& heuristics) {
  bool look = false;
  const Node& followed = Followed(work.names, heuristics);
  Walk(followed, [&](const Node& node) {
    look |= node.IsString() && !group.config.Value(node.text).empty();
    look |= node.IsString() && node.text.substr(0, 4) == "num_";
    const bool named = node.Is(Kind::kName) && node.parent != nullptr &&
                       node.parent->Is(Kind::kDict) && node.field == Field::kValues;
    return !(look |= named);  // a function that is not written here
  });
  return look;
}

/// Whether the constants can go to the launches: all of them are seen, and nothing around the
/// autotuner would notice. Otherwise they stay at the kernel.
bool GoesToLaunches(const PinWork& work, const PinGroup& group, const std::vector<Use>& uses) {
  const bool escapes = std::any_of(uses.begin(), uses.end(), [](const Use& use) {
    return use.kind == UseKind::kEscapes;
  });
  const bool launched = std::any_of(uses.begin(), uses.end(), [](const Use& use) {
    return use.kind == UseKind::kLaunch || use.kind == UseKind::kWarmup;
  });
  if (escapes || !launched) return false;
  for (const Autotuned& member : group.members) {
    for (const Node* decorator : member.above) {
      if (!IsTransparent(work.names, *decorator)) return false;
      if (IsHeuristics(work.names, *decorator) && HeuristicsLook(work, group, *decorator))
        return false;
    }
  }
  return true;
}

Status CheckUses(const PinWork& work, const PinGroup& group, const std::vector<Use>& uses) {
  for (const Use& use : uses) {
    const bool alone = use.node->parent->Is(Kind::kExpr);
    if (use.kind == UseKind::kReads) {
      return work.Refuse(*use.node,
                         fmt::format("'{}' is read here, which only an autotuner has; write down "
                                     "the value that is meant, or take this out, then pin '{}'",
                                     work.tree.Text(*use.node), group.name));
    }
    if (use.kind == UseKind::kWarmup && !alone) {
      return work.Refuse(*use.node,
                         fmt::format("an autotuner's warmup gives a list back, a kernel's one "
                                     "compiled kernel: take this use of '{}' out, then pin it",
                                     group.name));
    }
    if (use.kind == UseKind::kLaunch) CROQ_TRY(CheckLaunch(work, group, *use.node));
  }
  return {};
}

const Node* FirstEscape(const std::vector<Use>& uses) {
  for (const Use& use : uses) {
    if (use.kind == UseKind::kEscapes) return use.node;
  }
  return nullptr;
}

/// `kernel.fn` past the autotuner is `kernel` once that is gone.
Status DropFn(PinWork& work, const PinGroup& group, const Node& attribute) {
  const std::size_t end = work.tree.Offset(attribute.span.end_line, attribute.span.end_column);
  if (work.tree.bytes().compare(end - 3, 3, ".fn") != 0)
    return work.Refuse(attribute, "write `.fn` in one piece, so that it can be taken out");
  work.edits.Erase(end - 3, end, fmt::format("'{}' is the plain kernel now: `.fn` would be its "
                                             "Python function", group.name));
  return {};
}

Status PinAtLaunches(PinWork& work, const PinGroup& group, const LaunchDuties& duties,
                     const std::vector<Use>& uses) {
  for (const Autotuned& member : group.members) {
    CROQ_TRY(RemoveAutotuner(work, group, member, duties.dropped));
  }
  for (const Use& use : uses) {
    if (use.kind == UseKind::kBypass) {
      CROQ_TRY(DropFn(work, group, *use.node));
    } else {
      CROQ_TRY(EditLaunch(work, group, duties, uses, *use.node));
    }
  }
  return {};
}

Status PinAtKernel(PinWork& work, const PinGroup& group, const LaunchDuties& duties,
                   const std::vector<Use>& uses) {
  const Node* escape = FirstEscape(uses);
  if (duties.hook != nullptr || !duties.zeroed.empty()) {
    return work.Refuse(
        escape != nullptr ? *escape : group.members.front().place(),
        fmt::format("{} must happen before each launch of '{}', but {}", duties.hook != nullptr
                        ? "the configuration's pre_hook"
                        : fmt::format("zeroing '{}' (reset_to_zero)", duties.zeroed.front()),
                    group.name,
                    escape != nullptr ? "the kernel is handed on here, so that its launches can't "
                                        "all be seen"
                                      : "no launch of it can be seen in this file"));
  }
  for (const Autotuned& member : group.members) {
    CROQ_TRY(ReplaceAutotuner(work, group, member, duties.dropped));
  }
  return {};
}

Status PinOne(PinWork& work, const PinGroup& group) {
  CROQ_TRY(CheckShape(work, group));
  CROQ_TRY(CheckKeys(work, group));
  for (const std::string& dropped : group.config.dropped)
    work.Warn(group.members.front().place(), dropped);
  const std::vector<Use> uses = UsesOf(work.tree, work.names, group.members);
  CROQ_TRY(CheckUses(work, group, uses));
  CROQ_ASSIGN(const LaunchDuties duties, DutiesOf(work, group));
  return GoesToLaunches(work, group, uses) ? PinAtLaunches(work, group, duties, uses)
                                           : PinAtKernel(work, group, duties, uses);
}

/// Takes the configuration out of the kernel's own list.
Status TakeFromList(const PinWork& work, PinGroup& group, std::size_t index) {
  const Node* list = ArgumentOf(*group.members.front().settings, "configs", 0);
  const auto literal = list != nullptr ? LiteralConfigs(work.tree, work.names, *list)
                                       : std::vector<const Node*>{};
  if (!literal || group.members.size() > 1) {
    return work.Refuse(group.members.front().place(),
                       fmt::format("which configurations '{}' has is only known when the file runs; "
                                   "give one with --config", group.name));
  }
  if (index >= literal->size()) {
    return work.Refuse(group.members.front().place(),
                       fmt::format("'{}' has {} configurations, so --index goes from 0 to {}, not {}",
                                   group.name, literal->size(),
                                   literal->empty() ? 0 : literal->size() - 1, index));
  }
  group.config_call = (*literal)[index];
  CROQ_ASSIGN(group.config, ReadConfig(work.tree, work.names, *group.config_call));
  return {};
}

/// A decorator in which a function of the file hides an autotuner: FindAutotuned does not list it.
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

}  // namespace

void PinWork::Warn(const Node& place, const std::string& what) {
  const std::string warning = fmt::format("{}: {}", PlaceOf(tree, place), what);
  if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
    warnings.push_back(warning);
}

tl::unexpected<Error> PinWork::Refuse(const Node& place, const std::string& what) const {
  return UsageFailure(fmt::format("{}: {}", PlaceOf(tree, place), what));
}

std::string ListAutotuned(const std::vector<Autotuned>& all) {
  std::string text;
  for (const Autotuned& one : all) {
    text += fmt::format("{}{} (line {})", text.empty() ? "" : ", ", one.qualified,
                        one.place().span.line);
  }
  return text.empty() ? "none" : text;
}

Result<Pinned> Pin(const SyntaxTree& tree, const Names& names, const PinRequest& request) {
  const std::vector<Autotuned> all = FindAutotuned(tree, names);
  std::vector<PinGroup> groups = GroupsOf(names, all);
  PinWork work{tree, names, {}, {}};
  std::vector<PinGroup*> chosen;
  const auto choose = [&](const std::string& text) -> Result<PinGroup*> {
    if (groups.empty()) CROQ_TRY(CheckHidden(work, all, text));
    CROQ_ASSIGN(PinGroup* group, Choose(tree, groups, all, text));
    if (std::find(chosen.begin(), chosen.end(), group) != chosen.end())
      return UsageFailure(fmt::format("kernel '{}' is given two configurations", group->name));
    chosen.push_back(group);
    return group;
  };
  for (const auto& [text, config] : request.configs) {
    CROQ_ASSIGN(PinGroup* group, choose(text));
    group->config = config;
  }
  for (const auto& [text, index] : request.indexes) {
    CROQ_ASSIGN(PinGroup* group, choose(text));
    CROQ_TRY(TakeFromList(work, *group, index));
  }
  for (const PinGroup* group : chosen) CROQ_TRY(PinOne(work, *group));
  RemoveRemains(work);
  CROQ_ASSIGN(std::string source, work.edits.Apply(tree.bytes()));
  return Pinned{std::move(source), work.edits.Notes(tree.bytes()), std::move(work.warnings)};
}

}  // namespace croq::source
