#include <algorithm>
#include <array>

#include "croq/source/purity/scene.h"
#include "croq/source/purity/state.h"
#include "croq/source/words.h"

/// Tables of callables: whether what a display says is all that a table ever holds.
namespace croq::source::purity {
namespace {

constexpr std::array<std::string_view, 7> kReadingMethods{"get",   "items", "keys", "values",
                                                          "index", "count", "copy"};
constexpr std::array<std::string_view, 12> kReadingBuiltins{
    "len", "list", "tuple", "sorted", "enumerate", "zip",
    "iter", "set", "min", "max", "print", "isinstance"};

/// Whether the parent of a table's name, or of an item of it, only reads it.
bool IsRead(const Names& names, const Node& user, const Node& used) {
  switch (user.kind) {
    case Kind::kAttribute:
      return Holds(kReadingMethods, user.text) && user.field == Field::kFunc;
    case Kind::kCall: {
      const Node& callee = *user.Child(Field::kFunc);
      return callee.Is(Kind::kName) && Holds(kReadingBuiltins, callee.text) &&
             names.BindingsOf(callee).empty();
    }
    case Kind::kCompare:
    case Kind::kFor:
    case Kind::kComprehension:
    case Kind::kIf:
    case Kind::kAssert:
      return used.access == Access::kLoad;
    default:
      return false;
  }
}

}  // namespace

/// Nothing changes the table that a subscript reads: no use of its name, or of a name that it is
/// handed to, does more than read it.
bool Scene::IsFixed(const Node& subscript) const {
  const Node* root = RootName(subscript);
  return root == nullptr || AreFixed(names.BindingsOf(*root), 0);
}

bool Scene::AreFixed(const std::vector<const Binding*>& bindings, int depth) const {
  constexpr std::size_t kMostBindings = 64;  // each is held against every use of the name
  return depth < 6 && bindings.size() <= kMostBindings && std::ranges::all_of(bindings, [&](const Binding* binding) {
    const auto [kept, first] = fixed_.try_emplace(binding, true);
    if (!first)
      return kept->second;
    const Node* value = binding->value;
    const bool alias = value != nullptr && value->Is(Kind::kName);
    const bool fixed = Spend() && (!alias || AreFixed(names.BindingsOf(*value), depth + 1)) &&
                       UsesOnlyRead(*binding, depth);
    return fixed_[binding] = fixed;
  });
}

bool Scene::UsesOnlyRead(const Binding& binding, int depth) const {
  const auto uses = uses_.find(binding.name);
  if (uses == uses_.end())
    return true;
  return std::ranges::all_of(uses->second, [&](const Node* name) {
    if (!Spend())
      return false;
    if (name->access != Access::kLoad)
      return !name->parent->Is(Kind::kAugAssign);
    const auto bindings = names.BindingsOf(*name);
    if (std::ranges::find(bindings, &binding) == bindings.end())
      return true;
    const Node* used = name;
    while (used->parent->Is(Kind::kSubscript) && used->field == Field::kValue) used = used->parent;
    if (used != name) {  // an item: what is put there, or into it, changes the table
      return used->access == Access::kLoad &&
             !(used->parent->Is(Kind::kAttribute) && ChangesContainer(used->parent->text));
    }
    return IsRead(names, *used->parent, *used) || IsHandedOn(*used, depth);
  });
}

/// To another name, or to a parameter of a function of the file.
bool Scene::IsHandedOn(const Node& used, int depth) const {
  const Node& user = *used.parent;
  if (user.Is(Kind::kAssign) && used.field == Field::kValue) {
    return std::ranges::all_of(user.Children(Field::kTargets), [&](const Node* target) {
      return target->Is(Kind::kName) && AreFixed(names.BindingsOf(*target), depth + 1);
    });
  }
  bool handed = false;
  for (const auto& [parameter, arguments] : arguments_) {
    if (!Spend())
      return false;
    if (std::ranges::find(arguments, &used) == arguments.end())
      continue;
    handed = true;
    for (const Binding* binding : names.BindingsIn(*parameter->parent->parent)) {
      if (binding->node == parameter && !AreFixed({binding}, depth + 1))
        return false;
    }
  }
  return handed;
}

}  // namespace croq::source::purity
