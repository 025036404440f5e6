#include "croq/source/pin.h"

#include <fmt/format.h>

#include <algorithm>

#include "croq/source/gaps.h"
#include "croq/source/pin_parts.h"
#include "croq/source/tune_settings.h"

namespace croq::source {
namespace {

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

const Node* FirstEscape(const std::vector<Use>& uses) {
  for (const Use& use : uses) {
    if (use.kind == UseKind::kEscapes) return use.node;
  }
  return nullptr;
}

/// Why the constants must stay at the kernel; empty where they can go to the launches: all of them
/// are seen, and nothing around the autotuner would notice.
std::string WhyAtKernel(const PinWork& work, const PinGroup& group, const std::vector<Use>& uses) {
  if (const Node* escape = FirstEscape(uses); escape != nullptr) {
    return fmt::format("line {} hands it on, or may mean another",
                       escape->span.line);
  }
  const bool launched = std::any_of(uses.begin(), uses.end(), [](const Use& use) {
    return use.kind == UseKind::kLaunch || use.kind == UseKind::kWarmup;
  });
  if (!launched) return "this file does not launch it";
  for (const Autotuned& member : group.members) {
    for (const Node* decorator : member.above) {
      if (!IsTransparent(work.names, *decorator)) {
        return fmt::format("the decorator on line {} would see them in a launch",
                           decorator->span.line);
      }
      if (IsHeuristics(work.names, *decorator) && HeuristicsLook(work, group, *decorator)) {
        return fmt::format("the heuristics on line {} might look at them in a launch",
                           decorator->span.line);
      }
    }
  }
  return {};
}

Status CheckUses(const PinWork& work, const PinGroup& group, const std::vector<Use>& uses) {
  for (const Use& use : uses) {
    const bool alone = use.node->parent->Is(Kind::kExpr);
    const bool best = use.kind == UseKind::kBest && !ReadOfBest(group, *use.node);
    if (use.kind == UseKind::kReads || best) {
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
    } else if (use.kind == UseKind::kLaunch || use.kind == UseKind::kWarmup) {
      CROQ_TRY(EditLaunch(work, group, duties, uses, *use.node));
    }
  }
  return {};
}

Status PinAtKernel(PinWork& work, const PinGroup& group, const LaunchDuties& duties,
                   const std::vector<Use>& uses, const std::string& why) {
  const Node* escape = FirstEscape(uses);
  if (duties.hook != nullptr || !duties.zeroed.empty()) {
    return work.Refuse(
        escape != nullptr ? *escape : group.members.front().place(),
        fmt::format("{} must happen before each launch of '{}', but {}", duties.hook != nullptr
                        ? "the configuration's pre_hook"
                        : fmt::format("zeroing '{}' (reset_to_zero)", duties.zeroed.front()),
                    group.name, why));
  }
  for (const Autotuned& member : group.members) {
    CROQ_TRY(ReplaceAutotuner(work, group, member, duties.dropped, why));
  }
  return {};
}

/// Launches in other files fail without the constants, unless the kernel has defaults for them.
void WarnOfDefaults(PinWork& work, const PinGroup& group) {
  for (const Autotuned& member : group.members) {
    if (member.kernel == nullptr || member.qualified.find("<locals>") != std::string::npos) continue;
    const Node& arguments = *member.kernel->Child(Field::kArgs);
    const std::size_t count = member.parameters->size();
    const std::size_t defaults = arguments.Children(Field::kDefaults).size() +
                                 arguments.Children(Field::kKwDefaults).size();
    const bool all = std::all_of(
        group.config.constants.begin(), group.config.constants.end(), [&](const auto& constant) {
          const auto at = std::find(member.parameters->begin(), member.parameters->end(),
                                    constant.first);
          return at - member.parameters->begin() >= static_cast<std::ptrdiff_t>(count - defaults);
        });
    if (!all) continue;
    work.Warn(member.place(), fmt::format("a launch of '{}' in another file has to pass {} itself "
                                          "now; it would run without", group.name,
                                          LaunchKeywords(group.config, false)));
  }
}

/// Writes the values of `kernel.best_config` where they are read.
void WriteBest(PinWork& work, const PinGroup& group, const std::vector<Use>& uses) {
  for (const Use& use : uses) {
    if (use.kind != UseKind::kBest) continue;
    const BestRead read = *ReadOfBest(group, *use.node);
    const Range range = RangeOf(work.tree, *read.expression);
    work.edits.Replace(range.begin, range.end, read.value,
                       fmt::format("writes {} for '{}'", read.value,
                                   work.tree.Text(*read.expression)));
  }
}

Status PinOne(PinWork& work, const PinGroup& group) {
  CROQ_TRY(CheckShape(work, group));
  CROQ_TRY(CheckKeys(work, group));
  for (const std::string& dropped : group.config.dropped)
    work.Warn(group.members.front().place(), dropped);
  const std::vector<Use> uses = UsesOf(work.tree, work.names, group.members);
  CROQ_TRY(CheckUses(work, group, uses));
  CROQ_ASSIGN(const LaunchDuties duties, DutiesOf(work, group));
  WriteBest(work, group, uses);
  const std::string why = WhyAtKernel(work, group, uses);
  if (!why.empty()) return PinAtKernel(work, group, duties, uses, why);
  WarnOfDefaults(work, group);
  return PinAtLaunches(work, group, duties, uses);
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

Result<Pinned> Pin(const SyntaxTree& tree, const Names& names, const PinRequest& request) {
  const std::vector<Autotuned> all = FindAutotuned(tree, names);
  std::vector<PinGroup> groups = GroupsOf(names, all);
  PinWork work{tree, names, {}, {}};
  std::vector<PinGroup*> chosen;
  const auto choose = [&](const std::string& text) -> Result<PinGroup*> {
    if (groups.empty()) CROQ_TRY(CheckHidden(work, all, text));
    CROQ_ASSIGN(PinGroup* group, ChooseGroup(tree, names, groups, all, text));
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
    CROQ_TRY(TakeFromList(work, *group, index, request.made));
  }
  for (const PinGroup* group : chosen) CROQ_TRY(PinOne(work, *group));
  RemoveRemains(work);
  CROQ_ASSIGN(std::string source, work.edits.Apply(tree.bytes()));
  return Pinned{std::move(source), work.edits.Notes(tree.bytes()), std::move(work.warnings)};
}

}  // namespace croq::source
