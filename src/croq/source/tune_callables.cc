#include "croq/source/tune_callables.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "croq/source/tune_settings.h"

namespace croq::source {
namespace {

class HookWalk {
 public:
  HookWalk(const SyntaxTree& tree, const Names& names) : tree_(tree), names_(names) {}

  /// `caller`: the call that brought the walk into the function that `node` is of.
  void Visit(const Node& node, const Node* caller) {
    if (node.Is(Kind::kName) && node.access == Access::kLoad) return Follow(node, caller);
    if (node.Is(Kind::kCall)) {
      if (IsTriton(names_, *node.Child(Field::kFunc), "Config")) return Add(node, caller);
      Enter(node);
    }
    for (const Node* child : node.children) {
      if (child->field != Field::kFunc) Visit(*child, caller);
    }
  }

  ConfigHooks found;

 private:
  void Follow(const Node& name, const Node* caller) {
    for (const Binding* binding : names_.BindingsOf(name)) {
      const Kind kind = binding->node->kind;
      if (binding->value != nullptr) {
        if (seen_.insert(binding->node).second) Visit(*binding->value, caller);
      } else if (kind == Kind::kAlias && LooksLikeConfigs(name)) {
        found.unread = &name;
      }
    }
  }

  /// An imported name in a place where Configs come from, not a function or module beside them.
  bool LooksLikeConfigs(const Node& name) const {
    const Node* parent = name.parent;
    return !(parent->Is(Kind::kAttribute) || parent->Is(Kind::kCall)) ||
           (parent->Is(Kind::kCall) && name.field == Field::kFunc);
  }

  void Enter(const Node& call) {
    const Node& callee = *call.Child(Field::kFunc);
    const auto functions = names_.FunctionsCalled(callee);
    const auto dotted = names_.Resolve(callee);
    const bool known = dotted && (dotted->rfind("builtins.", 0) == 0 ||
                                  dotted->rfind("itertools.", 0) == 0 ||
                                  dotted->rfind("triton.", 0) == 0 ||
                                  dotted->rfind("torch.", 0) == 0);
    if (functions.empty() && !known && dotted && dotted->front() != '.') found.unread = &call;
    for (const Node* function : functions) {
      if (!seen_.insert(function).second) continue;
      for (const Node* child : function->children) {
        if (child->field == Field::kBody) Visit(*child, &call);
      }
    }
  }

  void Add(const Node& config, const Node* caller) {
    const Node* hook = HookOf(config);
    if (hook != nullptr && caller != nullptr) hook = Handed(*hook, *caller);
    if (hook == nullptr || (hook->Is(Kind::kConstant) && hook->constant == ConstantType::kNone)) {
      found.some_without = true;
      return;
    }
    const bool known = std::any_of(found.hooks.begin(), found.hooks.end(), [&](const Node* other) {
      return tree_.Text(*other) == tree_.Text(*hook);
    });
    if (!known) found.hooks.push_back(hook);
  }

  /// What the caller hands to the parameter that `hook` names, its default where it hands nothing.
  const Node* Handed(const Node& hook, const Node& caller) const {
    if (!hook.Is(Kind::kName)) return &hook;
    const auto bindings = names_.BindingsOf(hook);
    if (bindings.size() != 1 || !bindings[0]->node->Is(Kind::kArg)) return &hook;
    const Node& arguments = *bindings[0]->node->parent;
    auto parameters = arguments.Children(Field::kPosOnlyArgs);
    for (const Node* more : arguments.Children(Field::kArgs)) parameters.push_back(more);
    const auto at = std::find(parameters.begin(), parameters.end(), bindings[0]->node);
    const auto index = static_cast<std::size_t>(at - parameters.begin());
    if (const Node* given = ArgumentOf(caller, hook.text, index)) return given;
    const auto defaults = arguments.Children(Field::kDefaults);
    const std::size_t first = parameters.size() - defaults.size();
    return index >= first && index < parameters.size() ? defaults[index - first] : &hook;
  }

  const SyntaxTree& tree_;
  const Names& names_;
  std::set<const Node*> seen_;
};

bool WritesConfig(const Names& names, const Node& node) {
  if (node.Is(Kind::kCall)) {
    const Node& callee = *node.Child(Field::kFunc);
    if (IsTriton(names, callee, "Config") || names.Resolve(callee) == "builtins.setattr")
      return true;
    constexpr std::array kWriters = {"update", "setdefault", "pop", "__setitem__", "_replace"};
    return callee.Is(Kind::kAttribute) &&
           std::find(kWriters.begin(), kWriters.end(), callee.text) != kWriters.end();
  }
  if (node.access == Access::kLoad) return false;
  return node.Is(Kind::kAttribute) ||
         (node.Is(Kind::kSubscript) && node.Child(Field::kValue)->Is(Kind::kAttribute));
}

}  // namespace

const Node* HookOf(const Node& config_call) {
  return ArgumentOf(config_call, "pre_hook", kPreHookPosition);
}

ConfigHooks HooksOf(const SyntaxTree& tree, const Names& names, const Node& configs) {
  HookWalk walk(tree, names);
  walk.Visit(configs, nullptr);
  return walk.found;
}

PrunerFacts ReadPruner(const Names& names, const Node& prune_configs_by) {
  PrunerFacts facts;
  const Node& table = Followed(names, prune_configs_by);
  const Node* pruner = nullptr;
  const auto keys = table.Children(Field::kKeys);
  const auto values = table.Children(Field::kValues);
  for (std::size_t i = 0; i < keys.size() && i < values.size(); ++i) {
    if (keys[i]->IsString() && keys[i]->text == "early_config_prune") pruner = values[i];
  }
  if (table.Is(Kind::kCall)) pruner = ArgumentOf(table, "early_config_prune", 99);
  facts.unread = !table.Is(Kind::kDict) && !table.Is(Kind::kCall);
  std::vector<const Node*> todo;
  if (pruner != nullptr) {
    todo = names.FunctionsCalled(*pruner);
    facts.unread = todo.empty();
    facts.chooses = true;
  }
  std::set<const Node*> seen(todo.begin(), todo.end());
  while (!todo.empty()) {
    const Node* function = todo.back();
    todo.pop_back();
    Walk(*function, [&](const Node& node) {
      if (facts.rewrites == nullptr && WritesConfig(names, node)) facts.rewrites = &node;
      if (node.Is(Kind::kCall)) {
        for (const Node* called : names.FunctionsCalled(*node.Child(Field::kFunc))) {
          if (seen.insert(called).second) todo.push_back(called);
        }
      }
      return true;
    });
  }
  return facts;
}

}  // namespace croq::source
