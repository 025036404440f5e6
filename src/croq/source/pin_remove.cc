#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

#include "croq/source/gaps.h"
#include "croq/source/pin_parts.h"
#include "croq/source/tune_settings.h"

namespace croq::source {
namespace {

std::string Removal(const PinGroup& group, const Autotuned& member, const std::string& dropped) {
  return fmt::format("takes the autotuner off '{}'{}", member.qualified.empty() ? group.name
                                                                                : member.qualified,
                     dropped);
}

/// `{"BLOCK": lambda _: 128, ...}`
std::string HeuristicsTable(const PinConfig& config) {
  std::string table;
  for (const auto& [name, value] : AllValues(config)) {
    if (name == "num_ctas" && value == "1") continue;
    table += fmt::format("{}\"{}\": lambda _: {}", table.empty() ? "" : ", ", name, value);
  }
  return "{" + table + "}";
}

/// How the file can say triton.heuristics where `settings` says triton.autotune; empty where it
/// can't.
std::string HeuristicsName(const PinWork& work, const Node& settings) {
  const Node& callee = *settings.Child(Field::kFunc);
  if (callee.Is(Kind::kAttribute)) {
    const Node& module = *callee.Child(Field::kValue);
    if (work.names.Resolve(module) == "triton")
      return fmt::format("{}.heuristics", work.tree.Text(module));
  }
  std::string found;
  for (const Binding* binding : work.names.BindingsIn(work.tree.root())) {
    const Node& node = *binding->node;
    if (!node.Is(Kind::kAlias)) continue;
    const Node& statement = *node.parent;
    if (statement.Is(Kind::kImport) && node.text == "triton") {
      found = fmt::format("{}.heuristics", binding->name);
    } else if (statement.Is(Kind::kImportFrom) && statement.text == "triton" &&
               statement.level == 0 && node.text == "heuristics") {
      return std::string(binding->name);
    }
  }
  return found;
}

bool HoldsConfigs(const Names& names, const Node& value) {
  bool found = false;
  Walk(value, [&](const Node& node) {
    if (node.Is(Kind::kCall)) {
      const Node& callee = *node.Child(Field::kFunc);
      found |= IsTriton(names, callee, "Config") || IsTriton(names, callee, "autotune");
    }
    return !found;
  });
  return found;
}

/// `name = <configs>` as a statement of its own.
struct Held {
  const Node* statement;
  const Node* target;
};

std::vector<Held> HeldConfigs(const PinWork& work) {
  std::vector<Held> all;
  Walk(work.tree.root(), [&](const Node& node) {
    const bool plain = node.Is(Kind::kAssign) && node.Children(Field::kTargets).size() == 1;
    const Node* target = plain ? node.Child(Field::kTargets)
                         : node.Is(Kind::kAnnAssign) ? node.Child(Field::kTarget)
                                                     : nullptr;
    const Node* value = node.Child(Field::kValue);
    if (target != nullptr && value != nullptr && target->Is(Kind::kName) &&
        !value->Is(Kind::kLambda) && HoldsConfigs(work.names, *value))
      all.push_back({&node, target});
    return true;
  });
  return all;
}

bool IsGone(const PinWork& work, const Node& node) {
  const Node* text = FormattedAround(node);
  const Range range = RangeOf(work.tree, text != nullptr ? *text : node);
  return work.edits.Covers(range.begin, range.end);
}

/// What becomes of a name once the edits so far are made.
struct Users {
  bool went = false;             ///< an edit took a use of it out
  const Node* stays = nullptr;   ///< a use that is left
};

Users UsersOf(const PinWork& work, const Node& target) {
  Users users;
  Walk(work.tree.root(), [&](const Node& node) {
    if (&node == &target) return true;
    const bool named = (node.Is(Kind::kName) || node.Is(Kind::kConstant)) &&
                       node.text == target.text && (node.Is(Kind::kName) || node.IsString());
    if (!named) return true;
    if (node.Is(Kind::kName)) {
      const auto bindings = work.names.BindingsOf(node);
      if (std::none_of(bindings.begin(), bindings.end(),
                       [&](const Binding* binding) { return binding->node == &target; }))
        return true;
    }
    if (IsGone(work, node)) users.went = true;
    else users.stays = &node;
    return true;
  });
  return users;
}

bool AloneInBlock(const Node& statement) {
  return statement.parent->Children(statement.field).size() == 1 &&
         !statement.parent->Is(Kind::kModule);
}

/// Takes a dead statement out; false where that can't be done cleanly.
bool RemoveStatement(PinWork& work, const Held& held) {
  const std::string what = fmt::format("takes out '{}', which only the autotuner used",
                                       held.target->text);
  if (AloneInBlock(*held.statement)) {
    const Range range = RangeOf(work.tree, *held.statement);
    work.edits.Replace(range.begin, range.end, "pass", what);
    return true;
  }
  const auto lines = StatementLines(work.tree, *held.statement);
  if (!lines) return false;
  work.edits.Erase(lines->begin, lines->end, what);
  return true;
}

void WarnOfMentions(PinWork& work) {
  const Node* first = nullptr;
  std::set<int> more;
  for (const Node* mention : AutotuneMentions(work.tree, work.names)) {
    if (IsGone(work, *mention)) continue;
    if (first == nullptr) first = mention;
    else more.insert(mention->span.line);
  }
  if (first == nullptr) return;
  work.Warn(*first, fmt::format("autotune is left here{}; from iteration 1 on the rule has none in "
                                "any form",
                                more.empty() ? std::string()
                                             : fmt::format(" and on line{} {}",
                                                           more.size() == 1 ? "" : "s",
                                                           fmt::join(more, ", "))));
}

/// The lines of `kernel = triton.autotune(...)(kernel)`, which nothing is left of.
std::optional<Range> LinesOfRebinding(const PinWork& work, const Node& applied) {
  const Node& statement = *applied.parent;
  const Node& kernel = *applied.Child(Field::kArgs);
  if (!statement.Is(Kind::kAssign) || statement.Children(Field::kTargets).size() != 1 ||
      !kernel.Is(Kind::kName) || statement.Child(Field::kTargets)->text != kernel.text ||
      !statement.Child(Field::kTargets)->Is(Kind::kName) || AloneInBlock(statement))
    return std::nullopt;
  return StatementLines(work.tree, statement);
}

}  // namespace

Status RemoveAutotuner(PinWork& work, const PinGroup& group, const Autotuned& member,
                       const std::string& dropped) {
  const std::string what = Removal(group, member, dropped);
  if (member.applied == nullptr) {
    const auto lines = DecoratorLines(work.tree, *member.decorator);
    if (!lines) {
      return work.Refuse(*member.decorator, "this decorator shares its lines with something else; "
                                            "put it on lines of its own");
    }
    work.edits.Erase(lines->begin, lines->end, what);
    return {};
  }
  if (const auto lines = LinesOfRebinding(work, *member.applied)) {
    work.edits.Erase(lines->begin, lines->end, what);
    return {};
  }
  // `triton.autotune(...)(kernel)` becomes `(kernel)`: the brackets keep line breaks legal.
  const Node& call = *member.applied;
  const Range whole = RangeOf(work.tree, call);
  const std::size_t open = OpeningBracket(work.tree, call);
  const Node& kernel = *call.Child(Field::kArgs);
  const Range inner = RangeOf(work.tree, kernel);
  const std::string_view bytes = work.tree.bytes();
  const bool simple = kernel.Is(Kind::kName) || kernel.Is(Kind::kCall) ||
                      kernel.Is(Kind::kAttribute) || kernel.Is(Kind::kSubscript);
  const bool bare = simple && SkipGap(bytes, open + 1) == inner.begin &&
                    bytes.substr(open, inner.begin - open).find('\n') == std::string_view::npos &&
                    bytes.substr(inner.end, whole.end - inner.end) == ")";
  work.edits.Erase(whole.begin, bare ? inner.begin : open, what);
  if (bare) work.edits.Erase(inner.end, whole.end);
  else if (const std::size_t comma = SkipGap(bytes, inner.end); bytes[comma] == ',')
    work.edits.Erase(comma, comma + 1);  // `(kernel,)` would be a tuple
  return {};
}

Status ReplaceAutotuner(PinWork& work, const PinGroup& group, const Autotuned& member,
                        const std::string& dropped, const std::string& why) {
  const std::string name = HeuristicsName(work, *member.settings);
  if (name.empty()) {
    return work.Refuse(*member.decorator,
                       fmt::format("the constants of '{}' must be put on the kernel with "
                                   "triton.heuristics ({}), and the file has no name for that: add "
                                   "`import triton`", group.name, why));
  }
  const Range range = RangeOf(work.tree, *member.decorator);
  work.edits.Replace(range.begin, range.end,
                     fmt::format("{}({})", name, HeuristicsTable(group.config)),
                     fmt::format("{} and fixes {} at the kernel: {}",
                                 Removal(group, member, dropped),
                                 LaunchKeywords(group.config, false), why));
  return {};
}

void RemoveRemains(PinWork& work) {
  const std::vector<Held> all = HeldConfigs(work);
  std::set<const Node*> done;
  for (bool changed = true; changed;) {  // a held decorator keeps its list alive until it is gone
    changed = false;
    for (const Held& held : all) {
      if (done.count(held.statement) != 0) continue;
      const Users users = UsersOf(work, *held.target);
      if (!users.went || users.stays != nullptr) continue;
      done.insert(held.statement);
      changed = RemoveStatement(work, held);
      if (!changed) {
        work.Warn(*held.statement, fmt::format("nothing uses '{}' any more, but it shares its line",
                                               held.target->text));
      }
    }
  }
  for (const Held& held : all) {
    const Users users = UsersOf(work, *held.target);
    const bool gone = done.count(held.statement) != 0 || IsGone(work, *held.statement);
    if (gone || !users.went || users.stays == nullptr) continue;
    work.Warn(*held.statement, fmt::format("'{}' stays, since line {} uses it", held.target->text,
                                           users.stays->span.line));
  }
  WarnOfMentions(work);
}

}  // namespace croq::source
