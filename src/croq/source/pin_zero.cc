#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "croq/source/gaps.h"
#include "croq/source/pin_parts.h"

namespace croq::source {
namespace {

const Node* EnclosingFunction(const Node& node) {
  const Node* at = node.parent;
  while (at != nullptr && !at->Is(Kind::kFunctionDef) && !at->Is(Kind::kAsyncFunctionDef) &&
         !at->Is(Kind::kModule))
    at = at->parent;
  return at;
}

bool IsWithin(const Node& node, const Node& outer) {
  const Node* at = &node;
  while (at != nullptr && at != &outer) at = at->parent;
  return at != nullptr;
}

/// The loop that launches on the same argument again and again; null where there is none, or where
/// each turn makes an argument of its own.
const Node* LoopAround(const Names& names, const Node& argument, const Node& call) {
  const Node* loop = call.parent;
  while (loop != nullptr && !loop->Is(Kind::kFor) && !loop->Is(Kind::kWhile) &&
         !loop->Is(Kind::kAsyncFor)) {
    if (loop->Is(Kind::kFunctionDef) || loop->Is(Kind::kModule)) return nullptr;
    loop = loop->parent;
  }
  if (loop == nullptr || !argument.Is(Kind::kName)) return loop;
  const auto bindings = names.BindingsOf(argument);
  const bool own = std::all_of(bindings.begin(), bindings.end(), [&](const Binding* binding) {
    return IsWithin(*binding->node, *loop);
  });
  return own ? nullptr : loop;
}

bool MakesZeros(const Names& names, const Node& value) {
  if (!value.Is(Kind::kCall)) return false;
  const Node& callee = *value.Child(Field::kFunc);
  const auto dotted = names.Resolve(callee);
  return dotted == "torch.zeros" || dotted == "torch.zeros_like" ||
         (callee.Is(Kind::kAttribute) && (callee.text == "new_zeros" || callee.text == "zero_"));
}

/// Whether a use of a tensor's name leaves its content alone.
bool OnlyLooks(const Names& names, const Node& name) {
  constexpr std::array kFacts = {"shape", "dtype", "device", "ndim", "is_cuda"};
  constexpr std::array kLike = {"torch.empty_like", "torch.zeros_like", "torch.ones_like"};
  const Node& parent = *name.parent;
  if (name.access != Access::kLoad) return true;  // another tensor from here on
  if (parent.Is(Kind::kCompare)) return parent.text == "Is" || parent.text == "IsNot";
  if (parent.Is(Kind::kAttribute)) {
    return IsAskingMethod(parent.text) ||
           std::find(kFacts.begin(), kFacts.end(), parent.text) != kFacts.end();
  }
  if (!parent.Is(Kind::kCall)) return false;
  const auto dotted = names.Resolve(*parent.Child(Field::kFunc));
  return dotted && std::find(kLike.begin(), kLike.end(), *dotted) != kLike.end();
}

/// What a launch finds in an argument, as far as its block tells.
enum class Before {
  kZeros,    ///< made of zeros, or zeroed, and not touched since
  kFresh,    ///< made here, and not touched since
  kTouched,  ///< something may have been written to it, which zeroing would lose
  kUnknown,  ///< it comes from elsewhere
};

Before FoundBefore(const PinWork& work, const Node& name, const Node& call) {
  const Node& launch = StatementOf(call);
  const auto block = launch.parent->Children(launch.field);
  const auto at = std::find(block.begin(), block.end(), &launch);
  for (auto it = std::make_reverse_iterator(at); it != block.rend(); ++it) {
    const Node& statement = **it;
    const Node* value = statement.Child(Field::kValue);
    const Node* target = statement.Is(Kind::kAssign) ? statement.Child(Field::kTargets) : nullptr;
    if (target != nullptr && target->Is(Kind::kName) && target->text == name.text)
      return MakesZeros(work.names, *value) ? Before::kZeros : Before::kFresh;
    bool touches = false;
    Walk(statement, [&](const Node& node) {
      touches |= node.Is(Kind::kName) && node.text == name.text && !OnlyLooks(work.names, node);
      return !touches;
    });
    if (!touches) continue;
    const bool zeroes = statement.Is(Kind::kExpr) && MakesZeros(work.names, *value) &&
                        value->Child(Field::kFunc)->text == "zero_" &&
                        work.tree.Text(*value->Child(Field::kFunc)->Child(Field::kValue)) ==
                            name.text;
    return zeroes ? Before::kZeros : Before::kTouched;
  }
  return Before::kUnknown;
}

/// Another launch of the kernel in the same function that gets the same argument.
const Node* OtherLaunch(const PinWork& work, const PinGroup& group, const std::vector<Use>& uses,
                        const Node& call, const std::string& parameter) {
  const Node* argument = LaunchArgument(group, call, parameter);
  for (const Use& use : uses) {
    if (use.kind != UseKind::kLaunch || use.node == &call) continue;
    const Node* other = LaunchArgument(group, *use.node, parameter);
    if (EnclosingFunction(*use.node) == EnclosingFunction(call) && other != nullptr &&
        work.tree.Text(*other) == work.tree.Text(*argument))
      return use.node;
  }
  return nullptr;
}

}  // namespace

Status ZeroArgument(PinWork& work, const PinGroup& group, const std::string& parameter,
                    const std::vector<Use>& uses, const Node& call) {
  const Node* argument = LaunchArgument(group, call, parameter);
  if (argument == nullptr) {
    return work.Refuse(call, fmt::format("'{}' is reset to zero, and this launch does not pass it "
                                         "where croq can see it: zero it in the launcher and drop "
                                         "reset_to_zero", parameter));
  }
  if (argument->Is(Kind::kConstant)) return {};  // None: there is nothing to zero
  const bool named = argument->Is(Kind::kName);
  const Before before = named ? FoundBefore(work, *argument, call) : Before::kUnknown;
  if (MakesZeros(work.names, *argument) || before == Before::kZeros) return {};
  if (before == Before::kTouched) {
    return work.Refuse(call, fmt::format("the autotuner zeroes '{}' at the first launch only, and "
                                         "something may have been written to it before this one: "
                                         "zero it where that is right and drop reset_to_zero",
                                         work.tree.Text(*argument)));
  }
  const Node* other = OtherLaunch(work, group, uses, call, parameter);
  const Node* again = other != nullptr ? other : LoopAround(work.names, *argument, call);
  if (again != nullptr) {
    return work.Refuse(call, fmt::format("the autotuner zeroes '{}' at the first launch only, and "
                                         "'{}' is launched on it again ({}): whether these launches "
                                         "add up can't be told, so zero it where that is right and "
                                         "drop reset_to_zero", work.tree.Text(*argument),
                                         group.name,
                                         other != nullptr
                                             ? fmt::format("line {}", other->span.line)
                                             : std::string("in this loop")));
  }
  const Range range = RangeOf(work.tree, *argument);
  const bool simple = named || argument->Is(Kind::kAttribute) || argument->Is(Kind::kCall) ||
                      argument->Is(Kind::kSubscript);
  if (!simple) work.edits.Insert(range.begin, "(");
  work.edits.Insert(range.end, simple ? ".zero_()" : ").zero_()",
                    fmt::format("zeroes '{}' before the launch, as the autotuner did before trials "
                                "and at the first launch", work.tree.Text(*argument)));
  if (before == Before::kUnknown && !argument->Is(Kind::kCall)) {
    work.Warn(call, fmt::format("every launch zeroes '{}' now; under the autotuner later ones added "
                                "to what was there: take `.zero_()` out if they are meant to",
                                work.tree.Text(*argument)));
  }
  return {};
}

}  // namespace croq::source
