#include <algorithm>

#include "croq/source/resolve.h"

namespace croq::source {
namespace {

/// As in resolve.cc; beyond them every function of the file is an answer.
constexpr int kMaxCalleeDepth = 300;
constexpr int kMaxCalleeSteps = 1'000'000;

template <typename Functions>
void Merge(const Functions& from, Functions& to) {
  for (const Node* function : from) {
    if (std::find(to.begin(), to.end(), function) == to.end())
      to.push_back(function);
  }
}

bool IsValue(const Node& child) {
  return child.field != Field::kTest && child.field != Field::kKeys &&
         child.field != Field::kSlice && !child.Is(Kind::kConstant);
}

}  // namespace

std::vector<const Node*> Callees::Of(const Node& expression) {
  asked_ = {};
  Functions found = too_much_ ? Functions() : Evaluate(expression, 0);
  return too_much_ ? scopes_.functions() : found;
}

Callees::Functions Callees::Evaluate(const Node& node, int depth) {
  if (too_much_ || depth > kMaxCalleeDepth || ++steps_ > kMaxCalleeSteps) {
    too_much_ = true;
    return {};
  }
  if (const auto asked = asked_.find(&node); asked != asked_.end())
    return asked->second;
  asked_[&node];  // what leads back here adds nothing
  Functions found;
  switch (node.kind) {
    case Kind::kLambda:
    case Kind::kFunctionDef:
    case Kind::kAsyncFunctionDef:
      found = {&node};
      break;
    case Kind::kClassDef:
      found = OfMethod(node, "__init__", depth);
      Merge(OfMethod(node, "__new__", depth), found);
      break;
    case Kind::kName:
      for (const Binding* binding : scopes_.Find(node.text, node))
        Merge(OfBinding(*binding, depth), found);
      break;
    case Kind::kAttribute:
      found = OfAttribute(node, depth);
      break;
    case Kind::kCall:
      found = OfCall(node, depth);
      break;
    case Kind::kNamedExpr:
    case Kind::kSubscript:
    case Kind::kStarred:
    case Kind::kAwait:
    case Kind::kIfExp:
    case Kind::kDict:
    case Kind::kBoolOp:
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kSet:
      found = OfChildren(node, depth);
      break;
    default:
      break;
  }
  asked_[&node] = found;
  return found;
}

Callees::Functions Callees::OfChildren(const Node& node, int depth) {
  Functions found;
  for (const Node* child : node.children) {
    if (IsValue(*child))
      Merge(Evaluate(*child, depth + 1), found);
  }
  return found;
}

Callees::Functions Callees::OfMethod(const Node& of_class, std::string_view name, int depth) {
  Functions found;
  for (const Binding* binding : scopes_.In(of_class)) {
    if (binding->name == name)
      Merge(OfBinding(*binding, depth), found);
  }
  return found;
}

Callees::Functions Callees::OfBinding(const Binding& binding, int depth) {
  if (!binding.node->Is(Kind::kName))
    return Evaluate(*binding.node, depth + 1);
  return binding.value == nullptr ? Functions() : Evaluate(*binding.value, depth + 1);
}

Callees::Functions Callees::OfAttribute(const Node& node, int depth) {
  const Node* base = node.Child(Field::kValue);
  if (base == nullptr)
    return {};
  Functions found;
  bool known = false;
  if (base->Is(Kind::kName)) {
    for (const Binding* binding : scopes_.Find(base->text, *base)) {
      if (binding->node->Is(Kind::kClassDef)) {
        Merge(OfMethod(*binding->node, node.text, depth), found);
      } else {
        Merge(OfBinding(*binding, depth), found);  // kernel.fn, kernel.run: the kernel itself
      }
    }
    known = !found.empty();
  } else if (!base->Is(Kind::kAttribute)) {
    found = Evaluate(*base, depth + 1);
  }
  // An imported module's function is not the file's; anything else may be one of its objects.
  if (!known && resolver_.Of(*base).names.empty())
    Merge(scopes_.Methods(node.text), found);
  return found;
}

Callees::Functions Callees::OfCall(const Node& node, int depth) {
  Functions found;
  for (const Node* child : node.children) {
    if (child->field == Field::kFunc) {
      for (const Node* function : Evaluate(*child, depth + 1))
        AddReturned(*function, depth, found);
      if (child->Is(Kind::kCall))
        Merge(Evaluate(*child, depth + 1), found);  // partial(f)(x), autotune(...)(f)
    } else if (child->Is(Kind::kKeyword)) {
      if (const Node* value = child->Child(Field::kValue))
        Merge(Evaluate(*value, depth + 1), found);
    } else if (IsValue(*child)) {
      Merge(Evaluate(*child, depth + 1), found);
    }
  }
  return found;
}

void Callees::AddReturned(const Node& function, int depth, Functions& to) {
  if (function.Is(Kind::kLambda)) {
    if (const Node* body = function.Child(Field::kBody))
      Merge(Evaluate(*body, depth + 1), to);
    return;
  }
  for (const Node* statement : function.children) {
    if (statement->field != Field::kBody)
      continue;
    Walk(*statement, [&](const Node& node) {
      ++steps_;
      const Node* value = node.Is(Kind::kReturn) ? node.Child(Field::kValue) : nullptr;
      if (value != nullptr)
        Merge(Evaluate(*value, depth + 1), to);
      return !IsFunction(node) && !node.Is(Kind::kClassDef);
    });
  }
}

}  // namespace croq::source
