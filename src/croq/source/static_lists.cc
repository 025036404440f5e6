#include "croq/source/static_operators.h"
#include "croq/source/static_values.h"
#include "croq/source/triton_names.h"

/// StaticValues::ForEach: the elements of list-like expressions.
namespace croq::source {
namespace {

constexpr int kMaxNesting = 30;

/// `return x` of a function that does nothing else; its docstring and assertions aside.
const Node* OnlyReturn(const Node& function) {
  const Node* found = nullptr;
  for (const Node* statement : function.Children(Field::kBody)) {
    if (statement->Is(Kind::kReturn) && found == nullptr) {
      found = statement->Child(Field::kValue);
    } else if (!statement->Is(Kind::kExpr) && !statement->Is(Kind::kAssert) &&
               !statement->Is(Kind::kPass)) {
      return nullptr;
    }
  }
  return found;
}

}  // namespace

bool StaticValues::ForEach(const Node& list, const Variables& variables,
                           const Visit& visit) const {
  if (!Step() || depth_ > kMaxNesting)
    return false;
  ++depth_;
  bool whole = true;
  switch (list.kind) {
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kSet:
      for (const Node* element : list.children) {
        whole = (element->Is(Kind::kStarred)
                     ? ForEach(*element->Child(Field::kValue), variables, visit)
                     : visit(*element, variables)) &&
                whole;
      }
      break;
    case Kind::kListComp:
    case Kind::kGeneratorExp:
      whole = ForEachOfComprehension(list, 0, variables, visit);
      break;
    case Kind::kBinOp:
      whole = list.text == "Add";
      for (const Node* side : list.children) whole = ForEach(*side, variables, visit) && whole;
      break;
    case Kind::kName: {
      const Node* value = Follow(list);
      whole = value != nullptr && ForEach(*value, {}, visit);
      break;
    }
    case Kind::kIfExp:
      if (const auto test = Evaluate(*list.Child(Field::kTest), variables)) {
        whole = ForEach(*list.Child(Truth(*test) ? Field::kBody : Field::kOrElse), variables, visit);
      } else {
        ForEach(*list.Child(Field::kBody), variables, visit);
        ForEach(*list.Child(Field::kOrElse), variables, visit);
        whole = false;
      }
      break;
    case Kind::kCall:
      whole = ForEachOfCall(list, variables, visit);
      break;
    default:
      whole = false;
  }
  --depth_;
  return whole;
}

bool StaticValues::ForEachOfComprehension(const Node& node, std::size_t generator,
                                          const Variables& variables, const Visit& visit) const {
  const auto generators = node.Children(Field::kGenerators);
  if (generator == generators.size())
    return Step() && visit(*node.Child(Field::kElt), variables);
  const Node& loop = *generators[generator];
  const auto values = Evaluate(*loop.Child(Field::kIter), variables);
  if (!values || !values->is_list) {
    // The elements can't be counted; one of them still shows what they look like.
    visit(*node.Child(Field::kElt), variables);
    return false;
  }
  bool whole = true;
  for (const Value& value : values->items) {
    Variables inner = variables;
    if (!BindTarget(*loop.Child(Field::kTarget), value, inner))
      return false;
    bool taken = true;
    for (const Node* condition : loop.Children(Field::kIfs)) {
      const auto test = Evaluate(*condition, inner);
      whole = whole && test.has_value();
      taken = taken && (!test || Truth(*test));
    }
    if (taken)
      whole = ForEachOfComprehension(node, generator + 1, inner, visit) && whole;
    if (steps_ > kMaxStepsOfLists)
      return false;
  }
  return whole;
}

bool StaticValues::ForEachOfCall(const Node& node, const Variables& variables,
                                 const Visit& visit) const {
  const std::string name = CalledName(names_, node);
  if (name == "builtins.list" || name == "builtins.tuple") {
    const Node* argument = Argument(node, 0, "");
    return argument != nullptr && ForEach(*argument, variables, visit);
  }
  const Node* callee = node.Child(Field::kFunc);
  if (!callee->Is(Kind::kName))
    return false;
  const auto bindings = names_.BindingsOf(*callee);
  if (bindings.size() != 1 || !bindings.front()->node->Is(Kind::kFunctionDef))
    return false;
  const Node& function = *bindings.front()->node;
  const Node* returned = OnlyReturn(function);
  if (returned == nullptr || !function.Children(Field::kDecorators).empty())
    return false;
  Variables inner;
  std::size_t position = 0;
  for (const Node* parameter : function.Child(Field::kArgs)->Children(Field::kArgs)) {
    const Node* argument = Argument(node, position++, parameter->text);
    if (argument == nullptr)
      continue;  // its default is as good as unknown
    if (auto value = Evaluate(*argument, variables))
      inner[std::string(parameter->text)] = std::move(*value);
  }
  return ForEach(*returned, inner, visit);
}

}  // namespace croq::source
