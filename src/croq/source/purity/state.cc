#include "croq/source/purity/state.h"

#include <algorithm>
#include <array>

namespace croq::source::purity {

bool ChangesContainer(std::string_view method) {
  static constexpr std::array<std::string_view, 24> kMethods{
      "append",  "extend",     "insert", "pop",  "popitem", "popleft", "appendleft", "remove",
      "clear",   "update",     "setdefault", "add", "discard", "sort", "reverse",    "send",
      "set",     "put",        "__setitem__", "__delitem__", "__setattr__", "rotate", "subtract",
      "move_to_end"};
  return std::ranges::find(kMethods, method) != kMethods.end();
}

const Binding* FollowAliases(const Names& names, const Node& name) {
  const Node* node = &name;
  for (int step = 0; step < 16; ++step) {
    const auto bindings = names.BindingsOf(*node);
    if (bindings.empty())
      return nullptr;
    const Binding* binding = bindings.front();
    if (binding->value == nullptr || !binding->node->Is(Kind::kName) ||
        !binding->value->Is(Kind::kName))
      return binding;
    node = binding->value;
  }
  return nullptr;
}

State::State(const Scene& scene) {
  Walk(scene.tree.root(), [&](const Node& node) {
    if (EnclosingFunction(node) == nullptr && !StandsInMain(node))
      return true;  // module code runs once, before anyone launches
    if ((node.Is(Kind::kSubscript) || node.Is(Kind::kAttribute)) && node.access != Access::kLoad) {
      Note(scene, *node.Child(Field::kValue), node);
    } else if (node.Is(Kind::kCall) && node.Child(Field::kFunc)->Is(Kind::kAttribute) &&
               ChangesContainer(node.Child(Field::kFunc)->text)) {
      Note(scene, *node.Child(Field::kFunc)->Child(Field::kValue), node);
    } else if (node.Is(Kind::kName) && node.access != Access::kLoad) {
      for (const Binding* binding : scene.names.BindingsOf(node)) {
        if (binding->scope->Is(Kind::kModule))
          written_.emplace(binding->name, &node);
      }
    }
    return true;
  });
}

void State::Note(const Scene& scene, const Node& target, const Node& at) {
  const Node* root = RootName(target);
  if (root == nullptr)
    return;
  const Binding* binding = FollowAliases(scene.names, *root);
  if (binding != nullptr && binding->scope->Is(Kind::kModule) && binding->node->Is(Kind::kName))
    written_.emplace(binding->name, &at);
}

const Node* State::WrittenAt(std::string_view name) const {
  const auto found = written_.find(name);
  return found == written_.end() ? nullptr : found->second;
}

}  // namespace croq::source::purity
