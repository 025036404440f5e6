#include "croq/source/decorators.h"

#include <algorithm>

#include "croq/source/triton_names.h"

namespace croq::source {
namespace {

constexpr int kMaxDecoratorDepth = 12;
constexpr int kMaxDecoratorSteps = 300'000;

bool IsTritonLayer(const Layer& layer) {
  return layer.info.kind != DecoratorKind::kOther;
}

bool AnyOfTriton(const std::vector<Layer>& layers) {
  return std::any_of(layers.begin(), layers.end(), IsTritonLayer);
}

std::optional<DecoratorKind> KindOfName(std::string_view name) {
  if (IsJit(name))
    return DecoratorKind::kJit;
  if (IsAutotune(name))
    return DecoratorKind::kAutotune;
  if (IsHeuristics(name))
    return DecoratorKind::kHeuristics;
  return std::nullopt;
}

/// An autotuner of another package that is called as Triton's is: `@cached_autotune(configs=...,
/// key=...)`, `@libtuner(...)`.
bool IsOtherTuner(const Node& node, std::string_view name) {
  const std::string_view last = name.substr(name.rfind('.') + 1);
  return (last.find("autotune") != std::string_view::npos ||
          last.find("tuner") != std::string_view::npos) &&
         node.Is(Kind::kCall) && Argument(node, SIZE_MAX, "configs") != nullptr &&
         Argument(node, SIZE_MAX, "key") != nullptr;
}

}  // namespace

bool Has(const std::vector<Layer>& layers, DecoratorKind kind) {
  return std::any_of(layers.begin(), layers.end(),
                     [kind](const Layer& layer) { return layer.info.kind == kind; });
}

std::vector<const Node*> ReturnedValues(const Node& function) {
  std::vector<const Node*> values;
  if (function.Is(Kind::kLambda)) {
    if (const Node* body = function.Child(Field::kBody))
      values.push_back(body);
    return values;
  }
  for (const Node* statement : function.Children(Field::kBody)) {
    Walk(*statement, [&](const Node& node) {
      const Node* value = node.Is(Kind::kReturn) ? node.Child(Field::kValue) : nullptr;
      if (value != nullptr)
        values.push_back(value);
      return !node.Is(Kind::kFunctionDef) && !node.Is(Kind::kAsyncFunctionDef) &&
             !node.Is(Kind::kLambda) && !node.Is(Kind::kClassDef);
    });
  }
  return values;
}

std::vector<Layer> Decorators::LayersOf(const Node& callee) const {
  std::vector<Layer> layers;
  Add(callee, 0, layers);
  return layers;
}

bool Decorators::IsApplication(const Node& node) const {
  if (!node.Is(Kind::kCall) || Argument(node, 0, "") == nullptr)
    return false;
  const Node& callee = *node.Child(Field::kFunc);
  const auto kind = KindOfName(TritonName(names_, callee));
  // triton.autotune(configs, key) has arguments too, but no function among them.
  if (kind)
    return kind == DecoratorKind::kJit;
  return AnyOfTriton(LayersOf(callee));
}

void Decorators::Add(const Node& callee, int depth, std::vector<Layer>& layers) const {
  if (depth > kMaxDecoratorDepth || ++steps_ > kMaxDecoratorSteps)
    return;
  if (AddKnown(callee, callee, layers))
    return;
  if (callee.Is(Kind::kCall)) {
    const Node& maker = *callee.Child(Field::kFunc);
    if (AddKnown(callee, maker, layers))
      return;
    const Node* first = Argument(callee, 0, "");
    if (first != nullptr && CalledName(names_, callee) == "functools.partial") {
      std::vector<Layer> inner;
      Add(*first, depth + 1, inner);
      for (Layer& layer : inner) {
        if (layer.call == nullptr || layer.call == first)
          layer.call = &callee;  // its arguments are the partial's
      }
      if (AnyOfTriton(inner)) {
        layers.insert(layers.end(), inner.begin(), inner.end());
        return;
      }
    }
    if (!AddLocal(callee, depth, layers))
      AddOther(callee, layers);
    return;
  }
  if (!AddLocal(callee, depth, layers))
    AddOther(callee, layers);
}

/// `callee` is jit, autotune or heuristics itself; `node` the expression that it makes.
bool Decorators::AddKnown(const Node& node, const Node& callee, std::vector<Layer>& layers) const {
  if (!callee.Is(Kind::kName) && !callee.Is(Kind::kAttribute))
    return false;
  std::string name = TritonName(names_, callee);
  const auto kind = KindOfName(name);
  if (!kind)
    return false;
  layers.push_back({{&node, *kind, std::move(name), false}, &node});
  return true;
}

/// Follows variables, conditionals and the file's own functions.
bool Decorators::AddLocal(const Node& callee, int depth, std::vector<Layer>& layers) const {
  const auto take = [&](const Node& value) {
    std::vector<Layer> inner;
    Add(value, depth + 1, inner);
    if (!AnyOfTriton(inner))
      return false;
    layers.insert(layers.end(), inner.begin(), inner.end());
    return true;
  };
  if (callee.Is(Kind::kIfExp) || callee.Is(Kind::kBoolOp)) {
    return std::any_of(callee.children.begin(), callee.children.end(),
                       [&](const Node* child) { return take(*child); });
  }
  const bool makes = callee.Is(Kind::kCall);  // a function that returns the decorator
  const Node& name = makes ? *callee.Child(Field::kFunc) : callee;
  if (!name.Is(Kind::kName))
    return false;
  for (const Binding* binding : names_.BindingsOf(name)) {
    if (binding->node->Is(Kind::kFunctionDef)) {
      if (AddReturned(*binding->node, makes, depth, layers))
        return true;
    } else if (!makes && binding->value != nullptr && take(*binding->value)) {
      return true;
    }
  }
  return false;
}

/// `makes_decorator`: what the function returns is applied; else it is what the function does to
/// its own argument.
bool Decorators::AddReturned(const Node& function, bool makes_decorator, int depth,
                             std::vector<Layer>& layers) const {
  if (depth > kMaxDecoratorDepth)
    return false;
  const auto [known, fresh] = returned_.try_emplace(&function);
  if (fresh)
    known->second = ReturnedValues(function);
  for (const Node* value : known->second) {
    std::vector<Layer> inner;
    if (makes_decorator) {
      Add(*value, depth + 1, inner);
    } else {
      for (const Node* at = value; at != nullptr && at->Is(Kind::kCall);
           at = Argument(*at, 0, ""))
        Add(*at->Child(Field::kFunc), depth + 1, inner);
    }
    if (AnyOfTriton(inner)) {
      layers.insert(layers.end(), inner.begin(), inner.end());
      return true;
    }
  }
  return false;
}

void Decorators::AddOther(const Node& node, std::vector<Layer>& layers) const {
  const Node& named = node.Is(Kind::kCall) ? *node.Child(Field::kFunc) : node;
  std::string name = TritonName(names_, named);
  if (name.empty())
    name = tree_.Text(named);
  const bool tuner = IsOtherTuner(node, name);
  layers.push_back(
      {{&node, tuner ? DecoratorKind::kAutotune : DecoratorKind::kOther, std::move(name), false},
       tuner ? &node : nullptr});
}

}  // namespace croq::source
