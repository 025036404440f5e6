#include "croq/source/purity/shape.h"

#include <algorithm>
#include <initializer_list>

#include "croq/source/purity/scene.h"

namespace croq::source::purity {
namespace {

std::initializer_list<Field> NeededBy(Kind kind) {
  static constexpr std::initializer_list<Field> kValueOnly{Field::kValue};
  static constexpr std::initializer_list<Field> kTestOnly{Field::kTest};
  static constexpr std::initializer_list<Field> kTargetOnly{Field::kTarget};
  static constexpr std::initializer_list<Field> kSubscript{Field::kValue, Field::kSlice};
  static constexpr std::initializer_list<Field> kTargetValue{Field::kTarget, Field::kValue};
  static constexpr std::initializer_list<Field> kTargetIter{Field::kTarget, Field::kIter};
  static constexpr std::initializer_list<Field> kFunc{Field::kFunc};
  static constexpr std::initializer_list<Field> kSides{Field::kLeft, Field::kRight};
  static constexpr std::initializer_list<Field> kLeft{Field::kLeft};
  static constexpr std::initializer_list<Field> kOperand{Field::kOperand};
  static constexpr std::initializer_list<Field> kLambda{Field::kArgs, Field::kBody};
  static constexpr std::initializer_list<Field> kArgs{Field::kArgs};
  static constexpr std::initializer_list<Field> kBranches{Field::kTest, Field::kBody,
                                                          Field::kOrElse};
  switch (kind) {
    case Kind::kAttribute:
    case Kind::kStarred:
    case Kind::kAssign:
    case Kind::kKeyword:
    case Kind::kExpr:
      return kValueOnly;
    case Kind::kSubscript:
      return kSubscript;
    case Kind::kNamedExpr:
    case Kind::kAugAssign:
      return kTargetValue;
    case Kind::kCall:
      return kFunc;
    case Kind::kBinOp:
      return kSides;
    case Kind::kCompare:
      return kLeft;
    case Kind::kUnaryOp:
      return kOperand;
    case Kind::kLambda:
      return kLambda;
    case Kind::kFunctionDef:
    case Kind::kAsyncFunctionDef:
      return kArgs;
    case Kind::kIfExp:
      return kBranches;
    case Kind::kIf:
    case Kind::kWhile:
    case Kind::kAssert:
      return kTestOnly;
    case Kind::kFor:
    case Kind::kAsyncFor:
    case Kind::kComprehension:
      return kTargetIter;
    case Kind::kAnnAssign:
      return kTargetOnly;
    default:
      return {};
  }
}

bool StandsRight(const Node& node) {
  const Node* parent = node.parent;
  switch (node.kind) {
    case Kind::kModule:
      return parent == nullptr;
    case Kind::kArguments:
      return parent != nullptr && IsFunctionNode(*parent) && node.field == Field::kArgs;
    case Kind::kArg:
      return parent != nullptr && parent->Is(Kind::kArguments);
    case Kind::kAlias:
      return parent != nullptr && (parent->Is(Kind::kImport) || parent->Is(Kind::kImportFrom));
    default:
      return parent != nullptr;
  }
}

/// A function's `args` must be its arguments, not any node that is called so.
bool HasArguments(const Node& node) {
  return !IsFunctionNode(node) || (node.Child(Field::kArgs) != nullptr &&
                                   node.Child(Field::kArgs)->Is(Kind::kArguments));
}

}  // namespace

const Node* FindOddNode(const SyntaxTree& tree) {
  const Node* odd = nullptr;
  Walk(tree.root(), [&](const Node& node) {
    if (odd != nullptr)
      return false;
    const auto needed = NeededBy(node.kind);
    const bool whole = std::ranges::all_of(
        needed, [&](Field field) { return node.Child(field) != nullptr; });
    if (!whole || !StandsRight(node) || !HasArguments(node))
      odd = &node;
    return odd == nullptr;
  });
  return odd;
}

}  // namespace croq::source::purity
