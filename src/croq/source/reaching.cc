#include "croq/source/reaching.h"

#include <algorithm>
#include <utility>

#include "croq/source/gaps.h"

namespace croq::source {
namespace {

std::pair<int, int> PlaceIn(const Node& node) { return {node.span.line, node.span.column}; }

bool IsWithin(const Node& node, const Node& around) {
  const Node* at = &node;
  while (at != nullptr && at != &around) at = at->parent;
  return at != nullptr;
}

bool IsLoop(const Node& node) {
  return node.Is(Kind::kFor) || node.Is(Kind::kAsyncFor) || node.Is(Kind::kWhile);
}

/// Whether what is bound by `statement` has happened when `use` runs, loops aside.
bool IsBefore(const Node& statement, const Node& use) {
  if (IsWithin(use, statement))  // f = wrap(f) is not; `with open() as f:` around the use is
    return !statement.Is(Kind::kAssign) && !statement.Is(Kind::kAnnAssign) &&
           !statement.Is(Kind::kFunctionDef);
  return PlaceIn(statement) < PlaceIn(use);
}

/// Whether every run that reaches `use` has bound the name in `statement`, which is before it.
bool Dominates(const Binding& binding, const Node& statement, const Node& use) {
  const bool plain = statement.Is(Kind::kAssign) || statement.Is(Kind::kAnnAssign) ||
                     statement.Is(Kind::kFunctionDef) || statement.Is(Kind::kAsyncFunctionDef) ||
                     statement.Is(Kind::kClassDef) || statement.Is(Kind::kImport) ||
                     statement.Is(Kind::kImportFrom);
  if (!plain || (binding.node->parent != nullptr && binding.node->parent->Is(Kind::kNamedExpr)))
    return false;
  for (const Node* at = &use; at->parent != nullptr; at = at->parent) {
    if (at->parent == statement.parent && at->field == statement.field)
      return true;
  }
  return false;
}

}  // namespace

bool InOneBlock(const Node& one, const Node& other) {
  return one.parent == other.parent && one.field == other.field;
}

std::vector<const Binding*> ReachingBindings(const Names& names, const Node& name) {
  std::vector<const Binding*> all = names.BindingsOf(name);
  const Node& scope = names.ScopeOf(name);
  const bool one_scope = std::all_of(all.begin(), all.end(), [&](const Binding* binding) {
    return binding->scope == &scope && &names.ScopeOf(*binding->node) == &scope;  // not `global`
  });
  if (all.size() < 2 || !one_scope)
    return all;
  for (const Node* at = &name; at != nullptr && at != &scope; at = at->parent) {
    if (IsLoop(*at))
      return all;
  }
  std::stable_sort(all.begin(), all.end(), [](const Binding* one, const Binding* other) {
    return PlaceIn(*one->node) < PlaceIn(*other->node);
  });
  std::vector<const Binding*> reaching;
  for (const Binding* binding : all) {
    const Node& statement = StatementOf(*binding->node);
    if (!IsBefore(statement, name))
      continue;
    if (Dominates(*binding, statement, name))
      reaching.clear();
    reaching.push_back(binding);
  }
  return reaching.empty() ? all : reaching;
}

}  // namespace croq::source
