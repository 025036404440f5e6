#include <algorithm>

#include "croq/source/purity/tensors.h"

/// Tensors in the attributes of the file's own objects, and names that are asked what they are.
namespace croq::source::purity {
namespace {

using MeaningKind = Meaning::Kind;

/// "a b", "a, b" or ["a", "b"].
std::vector<std::string_view> FieldNames(const Node& list) {
  std::vector<std::string_view> names;
  for (const Node* item : list.children) names.push_back(item->text);
  std::string_view text = list.IsString() ? list.text : std::string_view();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" ,"), text.size());
    if (end > 0)
      names.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return names;
}

/// No honest file puts a value under one name in more places; beyond, it may be a tensor.
constexpr std::size_t kMostPlaces = 256;

bool IsInside(const Node& node, const Node& outer) {
  for (const Node* each = &node; each != nullptr; each = each->parent) {
    if (each == &outer)
      return true;
  }
  return false;
}

/// `isinstance(x, torch.Tensor)` or `torch.is_tensor(x)`, of a name bound so.
bool AsksForTensor(const Names& names, const Node& test,
                   const std::vector<const Binding*>& bindings) {
  if (!test.Is(Kind::kCall))
    return false;
  const auto arguments = test.Children(Field::kArgs);
  const std::string name = names.Resolve(*test.Child(Field::kFunc)).value_or("");
  return !arguments.empty() && arguments[0]->Is(Kind::kName) &&
         names.BindingsOf(*arguments[0]) == bindings &&
         (name == "torch.is_tensor" || (name == "builtins.isinstance" && arguments.size() == 2 &&
                                        names.Resolve(*arguments[1]) == "torch.Tensor"));
}

/// Bound by a parameter, and beyond it only where the answer was another.
bool IsBoundElsewhere(const std::vector<const Binding*>& bindings, const Node& branches,
                      Field branch) {
  for (const Node* outer = branches.parent; outer != nullptr && !IsFunctionNode(*outer);
       outer = outer->parent) {
    if (outer->Is(Kind::kFor) || outer->Is(Kind::kWhile))
      return false;
  }
  return std::ranges::all_of(bindings, [&](const Binding* binding) {
    return binding->node->Is(Kind::kArg) ||
           std::ranges::any_of(branches.children, [&](const Node* child) {
             return child->field != branch && child->field != Field::kTest &&
                    IsInside(*binding->node, *child);
           });
  });
}

/// A parameter where `isinstance(x, torch.Tensor)` has said no.
bool IsAskedAway(const Names& names, const Node& used) {
  constexpr std::size_t kMostBindings = 16;
  const Node* child = &used;
  for (const Node* parent = used.parent; parent != nullptr; parent = parent->parent) {
    if (parent->Is(Kind::kIf) || parent->Is(Kind::kIfExp)) {
      const Node& test = *parent->Child(Field::kTest);
      const bool negated = test.Is(Kind::kUnaryOp) && test.text == "Not";
      const Node& asked = negated ? *test.Child(Field::kOperand) : test;
      const Node* first = asked.Is(Kind::kCall) ? asked.Child(Field::kArgs) : nullptr;
      if (child->field == (negated ? Field::kBody : Field::kOrElse) && first != nullptr &&
          first->text == used.text) {
        const auto bindings = names.BindingsOf(used);
        if (bindings.size() <= kMostBindings && !bindings.empty() &&
            bindings.front()->node->Is(Kind::kArg) && AsksForTensor(names, asked, bindings) &&
            IsBoundElsewhere(bindings, *parent, child->field))
          return true;
      }
    }
    child = parent;
  }
  return false;
}

}  // namespace

bool Tensors::IsNoneHere(const Node& name) const { return IsAskedAway(scene_.names, name); }

/// `self.x`, `config.x`: what the file's own classes put under that name.
bool Tensors::OfField(const Node& attribute) const {
  const Node& base = *attribute.Child(Field::kValue);
  if (!base.Is(Kind::kName))
    return false;
  for (const Binding* binding : scene_.names.BindingsOf(base)) {
    const Node* made = binding->value;
    if (made != nullptr && made->Is(Kind::kCall) && IsGiven(*made, attribute.text))
      return true;
  }
  const bool context = std::ranges::any_of(scene_.names.BindingsOf(base), [](const Binding* each) {
    return IsContext(*each);
  });
  if (!context && scene_.ClassesOf(base).empty())
    return false;
  const std::vector<const Node*>& members = scene_.MembersNamed(attribute.text);
  if (members.size() > kMostPlaces)
    return true;
  return std::ranges::any_of(members, [&](const Node* value) {
    return value != nullptr && !IsFunctionNode(*value) && Evaluate(*value);
  });
}

/// Whether a named tuple or dataclass is given a tensor for a field.
bool Tensors::IsGiven(const Node& call, std::string_view field) const {
  std::vector<std::string_view> fields;
  for (const Meaning& meaning : scene_.MeaningsOf(*call.Child(Field::kFunc))) {
    if (meaning.Is(MeaningKind::kClass)) {
      for (const Binding* binding : scene_.names.BindingsIn(*meaning.node)) {
        if (binding->node->parent->Is(Kind::kAnnAssign))
          fields.push_back(binding->name);
      }
    } else if (MakesTupleClass(scene_, meaning)) {
      const auto arguments = meaning.node->Children(Field::kArgs);
      if (arguments.size() > 1)
        fields = FieldNames(*arguments[1]);
    }
  }
  for (const Node* keyword : call.Children(Field::kKeywords)) {
    if (!fields.empty() && keyword->text == field)
      return Evaluate(*keyword->Child(Field::kValue));
  }
  const auto at = static_cast<std::size_t>(std::ranges::find(fields, field) - fields.begin());
  const auto arguments = call.Children(Field::kArgs);
  return at < fields.size() && at < arguments.size() && Evaluate(*arguments[at]);
}

}  // namespace croq::source::purity
