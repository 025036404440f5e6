#include <algorithm>

#include "croq/source/purity/tensors.h"

/// Tensors in the attributes of the file's own objects.
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

}  // namespace

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
  if (scene_.ClassesOf(base).empty())
    return false;
  return std::ranges::any_of(scene_.MembersNamed(attribute.text), [&](const Node* value) {
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
