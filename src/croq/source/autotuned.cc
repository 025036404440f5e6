#include "croq/source/autotuned.h"

#include <fmt/format.h>

#include <algorithm>

#include "croq/source/tune_settings.h"

namespace croq::source {
namespace {

bool IsDefinition(const Node& node) {
  return node.Is(Kind::kFunctionDef) || node.Is(Kind::kAsyncFunctionDef);
}

/// The function that a kernel expression is made of: `raw`, `triton.jit(raw)`,
/// `triton.heuristics(...)(triton.jit(raw))`, or a call of a function that defines and returns one.
const Node* KernelOf(const Names& names, const Node& expression, int depth = 0);

const Node* ReturnedFunction(const Names& names, const Node& maker, int depth) {
  const Node* found = nullptr;
  int returns = 0;
  Walk(maker, [&](const Node& node) {
    if (&node != &maker && (IsDefinition(node) || node.Is(Kind::kLambda))) return false;
    if (!node.Is(Kind::kReturn)) return true;
    ++returns;
    const Node* value = node.Child(Field::kValue);
    found = value != nullptr ? KernelOf(names, *value, depth + 1) : nullptr;
    return true;
  });
  return returns == 1 ? found : nullptr;
}

bool HasJit(const Names& names, const Node& function) {
  for (const Node* decorator : function.Children(Field::kDecorators)) {
    const Node& named = decorator->Is(Kind::kCall) ? *decorator->Child(Field::kFunc) : *decorator;
    if (IsTriton(names, named, "jit")) return true;
  }
  return false;
}

const Node* KernelOf(const Names& names, const Node& expression, int depth) {
  if (depth > 10) return nullptr;
  if (expression.Is(Kind::kName)) {
    const auto bindings = names.BindingsOf(expression);
    if (bindings.size() != 1) {  // `k = triton.autotune(...)(k)`: the definition among them
      for (const Binding* binding : bindings) {
        if (IsDefinition(*binding->node)) return binding->node;
      }
      return nullptr;
    }
    if (IsDefinition(*bindings[0]->node)) return bindings[0]->node;
    return bindings[0]->value != nullptr ? KernelOf(names, *bindings[0]->value, depth + 1) : nullptr;
  }
  if (!expression.Is(Kind::kCall)) return nullptr;
  const Node& callee = *expression.Child(Field::kFunc);
  const auto arguments = expression.Children(Field::kArgs);
  const bool wraps = IsTriton(names, callee, "jit") || AutotuneCall(names, callee) != nullptr ||
                     (callee.Is(Kind::kCall) &&
                      IsTriton(names, *callee.Child(Field::kFunc), "heuristics"));
  if (wraps) return arguments.size() == 1 ? KernelOf(names, *arguments[0], depth + 1) : nullptr;
  for (const Node* function : names.FunctionsCalled(callee)) {
    if (IsDefinition(*function) && !HasJit(names, *function))
      return ReturnedFunction(names, *function, depth);
  }
  return nullptr;
}

std::string QualifiedName(const Node& node, std::string_view name) {
  std::string qualified(name);
  for (const Node* at = node.parent; at != nullptr; at = at->parent) {
    if (at->Is(Kind::kClassDef)) qualified = fmt::format("{}.{}", at->text, qualified);
    if (IsDefinition(*at)) qualified = fmt::format("{}.<locals>.{}", at->text, qualified);
  }
  return qualified;
}

std::vector<std::string> ParametersOf(const Node& function) {
  std::vector<std::string> parameters;
  const Node& arguments = *function.Child(Field::kArgs);
  for (const Field field : {Field::kPosOnlyArgs, Field::kArgs, Field::kKwOnlyArgs}) {
    for (const Node* argument : arguments.Children(field)) parameters.emplace_back(argument->text);
  }
  return parameters;
}

void Finish(Autotuned& found, const Names& names) {
  if (found.kernel == nullptr) return;
  found.parameters = ParametersOf(*found.kernel);
  for (const Node* decorator : found.kernel->Children(Field::kDecorators)) {
    if (decorator != found.decorator && AutotuneCall(names, *decorator) != nullptr &&
        (found.applied != nullptr || decorator->span.line > found.decorator->span.line))
      found.inner = decorator;
  }
}

Autotuned Decorated(const Names& names, const Node& function, const Node& decorator) {
  Autotuned found;
  found.name = std::string(function.text);
  found.qualified = QualifiedName(function, function.text);
  found.definition = &function;
  found.decorator = &decorator;
  found.settings = AutotuneCall(names, decorator);
  found.kernel = &function;
  for (const Node* other : function.Children(Field::kDecorators)) {
    if (other == &decorator) break;
    found.above.push_back(other);
  }
  Finish(found, names);
  return found;
}

Autotuned Applied(const Names& names, const Node& call) {
  Autotuned found;
  found.applied = &call;
  found.decorator = call.Child(Field::kFunc);
  found.settings = AutotuneCall(names, *found.decorator);
  found.kernel = KernelOf(names, *call.Children(Field::kArgs)[0]);
  // Through what is put around it to the assignment that gives it a name.
  const Node* at = &call;
  while (at->parent->Is(Kind::kCall) && at->field == Field::kArgs) at = at->parent;
  const Node& holder = *at->parent;
  if (holder.Is(Kind::kAssign) && holder.Children(Field::kTargets).size() == 1 &&
      holder.Child(Field::kTargets)->Is(Kind::kName)) {
    found.name = std::string(holder.Child(Field::kTargets)->text);
  } else {
    found.anonymous = true;
    found.name = found.kernel != nullptr ? std::string(found.kernel->text) : "kernel";
  }
  found.qualified = QualifiedName(call, found.name);
  Finish(found, names);
  return found;
}

}  // namespace

std::vector<Autotuned> FindAutotuned(const SyntaxTree& tree, const Names& names) {
  std::vector<Autotuned> all;
  Walk(tree.root(), [&](const Node& node) {
    if (IsDefinition(node)) {
      const std::size_t before = all.size();
      for (const Node* decorator : node.Children(Field::kDecorators)) {
        if (AutotuneCall(names, *decorator) != nullptr && all.size() == before)
          all.push_back(Decorated(names, node, *decorator));
      }
    }
    if (node.Is(Kind::kCall) && AutotuneCall(names, *node.Child(Field::kFunc)) != nullptr &&
        node.children.size() == 2 && node.Children(Field::kArgs).size() == 1 &&
        !node.Child(Field::kArgs)->Is(Kind::kStarred)) {
      all.push_back(Applied(names, node));
    }
    return true;
  });
  return all;
}

std::vector<const Node*> AutotuneMentions(const SyntaxTree& tree, const Names& names) {
  std::vector<const Node*> mentions;
  Walk(tree.root(), [&](const Node& node) {
    const bool named = node.Is(Kind::kName) || node.Is(Kind::kAttribute);
    if (!named || node.access != Access::kLoad) return true;
    if (MayBeTriton(names, node, "autotune") || MayBeTriton(names, node, "Autotuner")) {
      mentions.push_back(&node);
      return false;
    }
    return true;
  });
  return mentions;
}

const Node* AutotuneWithin(const Names& names, const Node& expression) {
  const Node* mention = nullptr;
  const Node& callee = expression.Is(Kind::kCall) ? *expression.Child(Field::kFunc) : expression;
  for (const Node* function : names.FunctionsCalled(callee)) {
    Walk(*function, [&](const Node& node) {
      if ((node.Is(Kind::kName) || node.Is(Kind::kAttribute)) &&
          (MayBeTriton(names, node, "autotune") || MayBeTriton(names, node, "Autotuner")))
        mention = &node;
      return mention == nullptr;
    });
  }
  return mention;
}

}  // namespace croq::source
