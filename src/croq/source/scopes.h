#pragma once

#include <deque>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "croq/source/names.h"

/// Inside the module: which names stand in which scope of a file, by Python's rules.
namespace croq::source {

struct Scope {
  const Node* node = nullptr;
  std::unordered_map<std::string_view, std::vector<const Binding*>> bindings;
  std::vector<const Binding*> in_order;  ///< every binding made here, as the file reads
  std::unordered_set<std::string_view> globals;
  std::unordered_set<std::string_view> nonlocals;
};

class Scopes {
 public:
  explicit Scopes(const Node& module);

  const Node& ScopeOf(const Node& node) const;
  /// Where a name that is used at `user` is bound: the bindings of one scope (a class body's names
  /// may also be bound outside, so there two lists). Deletions stand among them.
  std::vector<const std::vector<const Binding*>*> Lists(std::string_view name,
                                                        const Node& user) const;
  /// Those lists as one, without deletions.
  std::vector<const Binding*> Find(std::string_view name, const Node& user) const;
  const std::vector<const Binding*>& In(const Node& scope) const;
  /// `from x import *` anywhere, as ImportFrom nodes.
  const std::vector<const Node*>& star_imports() const { return star_imports_; }
  /// Every function of that name that a class body defines.
  const std::vector<const Node*>& Methods(std::string_view name) const;
  /// Every function and lambda of the file.
  const std::vector<const Node*>& functions() const { return functions_; }

 private:
  friend class BindingCollector;
  const Scope* Of(const Node& scope) const;

  const Node* module_;
  std::unordered_map<const Node*, Scope> scopes_;
  std::deque<Binding> bindings_;
  std::vector<const Node*> star_imports_;
  std::vector<const Node*> functions_;
  std::unordered_map<std::string_view, std::vector<const Node*>> methods_;
};

bool IsFunction(const Node& node);  ///< def, async def, lambda
bool IsDeletion(const Binding& binding);

}  // namespace croq::source
