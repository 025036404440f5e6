#pragma once

#include <string_view>
#include <unordered_map>

#include "croq/source/purity/scene.h"

/// Inside the module: which names of the module change after they were made.
namespace croq::source::purity {

class State {
 public:
  explicit State(const Scene& scene);

  /// Where a function writes into what a module's name holds (an item, an attribute, a method that
  /// changes it, `global`); null where none does.
  const Node* WrittenAt(std::string_view name) const;

 private:
  void Note(const Scene& scene, const Node& target, const Node& at);

  std::unordered_map<std::string_view, const Node*> written_;
};

/// Methods that change a container: append, update, ...
bool ChangesContainer(std::string_view method);

/// The binding that a container's name leads to, through plain aliases.
const Binding* FollowAliases(const Names& names, const Node& name);

}  // namespace croq::source::purity
