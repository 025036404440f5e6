#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "croq/source/gaps.h"
#include "croq/source/hook_reads.h"
#include "croq/source/pin_parts.h"
#include "croq/source/tune_settings.h"
#include "croq/source/words.h"

namespace croq::source {
namespace {

constexpr std::array kAskingMethods = {"stride", "size", "numel", "dim", "element_size", "data_ptr",
                                       "get_device", "is_contiguous"};
/// Functions that give the same answer when asked twice.
constexpr std::array kPureFunctions = {
    "builtins.len", "builtins.min", "builtins.max", "builtins.int", "builtins.float",
    "builtins.bool", "builtins.abs", "triton.cdiv", "triton.next_power_of_2", "math.sqrt"};

/// Whether an expression may be evaluated twice: its value is the same, and nothing happens.
bool IsRepeatable(const Names& names, const Node& node) {
  switch (node.kind) {
    case Kind::kName: case Kind::kConstant:
      return true;
    case Kind::kAttribute: case Kind::kSubscript: case Kind::kUnaryOp: case Kind::kBinOp:
    case Kind::kCompare: case Kind::kBoolOp: case Kind::kIfExp: case Kind::kTuple:
      break;
    case Kind::kCall: {
      const Node& callee = *node.Child(Field::kFunc);
      const auto dotted = names.Resolve(callee);
      const bool pure = (dotted && Holds(kPureFunctions, *dotted)) ||
                        (callee.Is(Kind::kAttribute) && IsAskingMethod(callee.text));
      if (!pure) return false;
      break;
    }
    default:
      return false;
  }
  return std::all_of(node.children.begin(), node.children.end(),
                     [&](const Node* child) { return IsRepeatable(names, *child); });
}

/// Whether a name of the hook's expression means the same at the launch.
bool MeansTheSame(const PinWork& work, const Node& name, const Node& call) {
  const auto bindings = work.names.BindingsOf(name);
  if (bindings.empty()) return true;  // a builtin
  const Node* scope = &work.names.ScopeOf(call);
  while (scope != nullptr) {
    for (const Binding* binding : work.names.BindingsIn(*scope)) {
      if (binding->name == name.text) return bindings.front()->scope == scope;
    }
    scope = scope->Is(Kind::kModule) ? nullptr : &work.names.ScopeOf(*scope);
  }
  return false;
}

/// A name of the expression that the launch can't see as it was meant; null where all is well.
const Node* LostName(const PinWork& work, const Node& hook, const Node& call) {
  const Node* lost = nullptr;
  Walk(hook, [&](const Node& node) {
    if (!node.Is(Kind::kName) || node.access != Access::kLoad) return lost == nullptr;
    const auto bindings = work.names.BindingsOf(node);
    const bool own = std::any_of(bindings.begin(), bindings.end(), [&](const Binding* binding) {
      for (const Node* at = binding->scope; at != nullptr; at = at->parent) {
        if (at == &hook) return true;
      }
      return false;
    });
    if (!own && !MeansTheSame(work, node, call)) lost = &node;
    return lost == nullptr;
  });
  return lost;
}

/// The dictionary that the autotuner would hand to the hook, as far as the hook reads it.
Result<std::string> HookArguments(const PinWork& work, const PinGroup& group, const Node& hook,
                                  const Node& call) {
  const auto read = ReadsOfHook(work.names, hook);
  std::string table;
  std::set<std::string> given;
  const auto add = [&](const std::string& name, std::string_view value) {
    if (read && read->count(name) == 0) return;
    table += fmt::format("{}\"{}\": {}", table.empty() ? "" : ", ", name, value);
    given.insert(name);
  };
  for (const std::string& parameter : *group.members.front().parameters) {
    const Node* argument = LaunchArgument(group, call, parameter);
    if (argument == nullptr || (read && read->count(parameter) == 0)) continue;
    if (!IsRepeatable(work.names, *argument)) {
      return work.Refuse(*argument,
                         fmt::format("Config.pre_hook has to be called with this argument '{}' "
                                     "before the launch, but the launch makes it: give it a name "
                                     "on a line before", parameter));
    }
    add(parameter, work.tree.Text(*argument));
  }
  for (const auto& [name, value] : AllValues(group.config)) add(name, value);
  for (const auto& [name, needed] : read.value_or(HookReads{})) {
    if (needed && given.count(name) == 0) {
      return work.Refuse(hook, fmt::format("this pre_hook reads '{}', which the launch on line {} "
                                           "does not pass where croq can see it", name,
                                           call.span.line));
    }
  }
  return "{" + table + "}";
}

/// Has `code` run right before `call`: as a statement of its own where the call begins one.
void RunBefore(PinWork& work, const Node& call, const std::string& code, const std::string& what) {
  const Node& statement = StatementOf(call);
  const Range range = RangeOf(work.tree, call);
  const std::size_t begin = RangeOf(work.tree, statement).begin;
  const bool first = statement.Is(Kind::kExpr) && call.parent == &statement;
  const bool kept = (statement.Is(Kind::kAssign) || statement.Is(Kind::kReturn)) &&
                    call.parent == &statement;
  if (!first && !kept) {  // inside of a lambda or another expression
    work.edits.Insert(range.begin, fmt::format("({}, ", code), what);
    work.edits.Insert(range.end, ")[-1]");
    return;
  }
  const std::string separator =
      FirstOnLine(work.tree, begin)
          ? fmt::format("{}{}", LineEnd(work.tree, begin), Indentation(work.tree, begin))
          : "; ";
  work.edits.Insert(begin, code + separator, what);
}

}  // namespace

bool IsAskingMethod(std::string_view method) { return Holds(kAskingMethods, method); }

Status CallHook(PinWork& work, const PinGroup& group, const Node& hook, const Node& call) {
  const bool called = hook.Is(Kind::kName) || hook.Is(Kind::kAttribute) ||
                      hook.Is(Kind::kLambda) || IsHookMaker(work.names, hook);
  if (!called || !group.members.front().parameters) {
    return work.Refuse(hook, fmt::format("this pre_hook of '{}' has to be called before each "
                                         "launch, and it is computed here: give it a name of the "
                                         "module", group.name));
  }
  if (const Node* lost = LostName(work, hook, call); lost != nullptr) {
    return work.Refuse(*lost, fmt::format("pre_hook has to be called before the launch on line {}, "
                                          "where '{}' is not what it is here", call.span.line,
                                          lost->text));
  }
  for (const Node* argument : call.children) {
    const bool starred = argument->Is(Kind::kStarred) ||
                         (argument->Is(Kind::kKeyword) && argument->text.empty());
    if (!starred || ReadsOfHook(work.names, hook)) continue;
    return work.Refuse(*argument, "Config.pre_hook needs this launch's arguments by name; write "
                                  "them out");
  }
  CROQ_ASSIGN(const std::string table, HookArguments(work, group, hook, call));
  const std::string_view text = work.tree.Text(hook);
  const std::string code = hook.Is(Kind::kLambda) ? fmt::format("({})({})", text, table)
                                                  : fmt::format("{}({})", text, table);
  RunBefore(work, call, code, fmt::format("calls the configuration's pre_hook before '{}' is "
                                          "launched", group.name));
  return {};
}

}  // namespace croq::source
