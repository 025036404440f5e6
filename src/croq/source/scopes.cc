#include "croq/source/scopes.h"

#include <algorithm>

namespace croq::source {
namespace {

bool IsComprehension(const Node& node) {
  return node.Is(Kind::kListComp) || node.Is(Kind::kSetComp) || node.Is(Kind::kDictComp) ||
         node.Is(Kind::kGeneratorExp);
}

/// Whether what stands in `child` of `parent` runs in parent's own scope. `start` is the node that
/// is asked about: a parameter belongs to its function, its annotation and default do not.
bool RunsInside(const Node& parent, const Node& child, const Node& start) {
  if (IsFunction(parent)) {
    return child.field == Field::kBody ||
           (child.Is(Kind::kArguments) && start.Is(Kind::kArg) && start.parent == &child);
  }
  if (parent.Is(Kind::kClassDef))
    return child.field == Field::kBody;
  return parent.Is(Kind::kModule);
}

/// The first `for`'s sequence is evaluated outside the comprehension.
bool IsFirstSequence(const Node& comprehension, const Node& generator, const Node* below) {
  return below != nullptr && below->field == Field::kIter &&
         comprehension.Child(Field::kGenerators) == &generator;
}

bool BindsAsName(const Node& node) {
  if (node.Is(Kind::kExceptHandler))
    return true;
  return node.Is(Kind::kPattern) &&
         (node.text == "MatchAs" || node.text == "MatchStar" || node.text == "MatchMapping");
}

/// The expression that a target Name is set to, where the statement says it plainly: `a = x`,
/// `a = b = x`, `a: T = x`, `(a := x)`, and `a, b = x, y` item by item.
const Node* PlainValue(const Node& target) {
  const Node& parent = *target.parent;
  if (parent.Is(Kind::kNamedExpr) || parent.Is(Kind::kAnnAssign) || parent.Is(Kind::kAssign))
    return parent.Child(Field::kValue);
  if (!parent.Is(Kind::kTuple) && !parent.Is(Kind::kList))
    return nullptr;
  const Node* whole = PlainValue(parent);
  if (whole == nullptr || !(whole->Is(Kind::kTuple) || whole->Is(Kind::kList)) ||
      whole->children.size() != parent.children.size())
    return nullptr;
  const auto starred = [](const Node* item) { return item->Is(Kind::kStarred); };
  if (std::any_of(parent.children.begin(), parent.children.end(), starred) ||
      std::any_of(whole->children.begin(), whole->children.end(), starred))
    return nullptr;
  const auto at = std::find(parent.children.begin(), parent.children.end(), &target);
  return whole->children[static_cast<std::size_t>(at - parent.children.begin())];
}

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace

bool IsFunction(const Node& node) {
  return node.Is(Kind::kFunctionDef) || node.Is(Kind::kAsyncFunctionDef) || node.Is(Kind::kLambda);
}

bool IsDeletion(const Binding& binding) {
  return binding.node->Is(Kind::kName) && binding.node->access == Access::kDelete;
}

/// Gathers the bindings of a file; they are put into scopes once every `global` is known.
class BindingCollector {
 public:
  explicit BindingCollector(Scopes& scopes) : scopes_(scopes) {}

  void Visit(const Node& node) {
    if (IsFunction(node))
      scopes_.functions_.push_back(&node);
    switch (node.kind) {
      case Kind::kModule:
      case Kind::kLambda:
      case Kind::kListComp:
      case Kind::kSetComp:
      case Kind::kDictComp:
      case Kind::kGeneratorExp:
        Open(node);
        break;
      case Kind::kFunctionDef:
      case Kind::kAsyncFunctionDef:
        Open(node);
        Bind(node.text, node);
        if (node.parent->Is(Kind::kClassDef))
          scopes_.methods_[node.text].push_back(&node);
        break;
      case Kind::kClassDef:
        Open(node);
        Bind(node.text, node);
        break;
      case Kind::kAlias:
        BindImport(node);
        break;
      case Kind::kArg:
        Bind(node.text, node);
        break;
      case Kind::kName:
        if (node.access != Access::kLoad)
          Bind(node.text, node, node.access == Access::kStore ? PlainValue(node) : nullptr);
        break;
      case Kind::kGlobal:
      case Kind::kNonlocal: {
        Scope& scope = Open(scopes_.ScopeOf(node));
        for (const std::string_view name : Words(node.text))
          (node.Is(Kind::kGlobal) ? scope.globals : scope.nonlocals).insert(name);
        break;
      }
      default:
        if (!node.as_name.empty() && (BindsAsName(node) || node.Is(Kind::kTypeParam)))
          Bind(node.as_name, node);
    }
  }

  void Finish() {
    for (Binding& binding : pending_) {
      const Node* scope = Owner(binding.name, *binding.scope);
      Scope& owner = Open(*scope);
      binding.scope = scope;
      const Binding& kept = scopes_.bindings_.emplace_back(binding);
      owner.in_order.push_back(&kept);
      owner.bindings[kept.name].push_back(&kept);
    }
  }

 private:
  Scope& Open(const Node& node) {
    Scope& scope = scopes_.scopes_[&node];
    scope.node = &node;
    return scope;
  }

  void Bind(std::string_view name, const Node& node, const Node* value = nullptr) {
    const Node* scope = &scopes_.ScopeOf(node);
    if (node.parent->Is(Kind::kNamedExpr)) {  // a walrus binds outside its comprehension
      while (IsComprehension(*scope)) scope = &scopes_.ScopeOf(*scope);
    }
    pending_.push_back({name, &node, value, scope});
  }

  void BindImport(const Node& alias) {
    if (alias.parent->Is(Kind::kImportFrom) && alias.text == "*") {
      scopes_.star_imports_.push_back(alias.parent);
    } else if (!alias.as_name.empty()) {
      Bind(alias.as_name, alias);
    } else {
      Bind(alias.text.substr(0, alias.text.find('.')), alias);
    }
  }

  const Node* Owner(std::string_view name, const Node& scope) {
    const Scope& opened = Open(scope);
    if (opened.globals.contains(name))
      return scopes_.module_;
    if (!opened.nonlocals.contains(name))
      return &scope;
    for (const Node* above = &scope; !above->Is(Kind::kModule);) {
      above = &scopes_.ScopeOf(*above);
      if (IsFunction(*above) && !Open(*above).nonlocals.contains(name))
        return above;
    }
    return &scope;
  }

  Scopes& scopes_;
  std::vector<Binding> pending_;
};

Scopes::Scopes(const Node& module) : module_(&module) {
  BindingCollector collector(*this);
  Walk(module, [&](const Node& node) {
    collector.Visit(node);
    return true;
  });
  collector.Finish();
}

const Node& Scopes::ScopeOf(const Node& node) const {
  const Node* below = nullptr;  // between `child` and the node that is asked about
  const Node* child = &node;
  for (const Node* parent = node.parent; parent != nullptr; parent = parent->parent) {
    if (IsComprehension(*parent)) {
      if (!IsFirstSequence(*parent, *child, below))
        return *parent;
    } else if (RunsInside(*parent, *child, node)) {
      return *parent;
    }
    below = child;
    child = parent;
  }
  return *module_;
}

const Scope* Scopes::Of(const Node& scope) const {
  const auto found = scopes_.find(&scope);
  return found == scopes_.end() ? nullptr : &found->second;
}

std::vector<const std::vector<const Binding*>*> Scopes::Lists(std::string_view name,
                                                              const Node& user) const {
  std::vector<const std::vector<const Binding*>*> found;
  const auto take = [&](const Scope& scope) {
    const auto bound = scope.bindings.find(name);
    if (bound != scope.bindings.end())
      found.push_back(&bound->second);
    return bound != scope.bindings.end();
  };
  const Node* first = &ScopeOf(user);
  for (const Node* at = first;; at = &ScopeOf(*at)) {
    const Scope* scope = Of(*at);
    const bool visible = at == first || !at->Is(Kind::kClassDef);
    if (scope != nullptr && visible) {
      if (scope->globals.contains(name)) {
        take(*Of(*module_));
        return found;
      }
      // A class body looks outside for what it has not bound yet.
      if (!scope->nonlocals.contains(name) && take(*scope) && !at->Is(Kind::kClassDef))
        return found;
    }
    if (at == module_)
      return found;
  }
}

std::vector<const Binding*> Scopes::Find(std::string_view name, const Node& user) const {
  std::vector<const Binding*> found;
  for (const auto* list : Lists(name, user)) {
    std::copy_if(list->begin(), list->end(), std::back_inserter(found),
                 [](const Binding* binding) { return !IsDeletion(*binding); });
  }
  return found;
}

const std::vector<const Binding*>& Scopes::In(const Node& scope) const {
  static const std::vector<const Binding*> kNone;
  const Scope* found = Of(scope);
  return found == nullptr ? kNone : found->in_order;
}

const std::vector<const Node*>& Scopes::Methods(std::string_view name) const {
  static const std::vector<const Node*> kNone;
  const auto found = methods_.find(name);
  return found == methods_.end() ? kNone : found->second;
}

}  // namespace croq::source
