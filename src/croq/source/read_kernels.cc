#include "croq/source/read_kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "croq/source/gaps.h"
#include "croq/source/parameters.h"
#include "croq/source/reaching.h"
#include "croq/source/read_autotune.h"
#include "croq/source/triton_names.h"

namespace croq::source {
namespace {

constexpr int kMaxReadDepth = 16;

/// What an application is assigned to: `name`, `table["key"]`; empty where nothing tells.
std::string HandleOf(const SyntaxTree& tree, const Node& call) {
  const Node* parent = call.parent;
  if (parent == nullptr)
    return {};
  if (parent->Is(Kind::kAssign) || parent->Is(Kind::kAnnAssign)) {
    const Node* target =
        parent->Child(parent->Is(Kind::kAssign) ? Field::kTargets : Field::kTarget);
    return std::string(tree.Text(*target));
  }
  if (parent->Is(Kind::kNamedExpr))
    return std::string(parent->Child(Field::kTarget)->text);
  if (parent->Is(Kind::kDict)) {
    const auto values = parent->Children(Field::kValues);
    const auto keys = parent->Children(Field::kKeys);
    const auto at = std::find(values.begin(), values.end(), &call) - values.begin();
    if (static_cast<std::size_t>(at) < keys.size())
      return HandleOf(tree, *parent) +
             fmt::format("[{}]", tree.Text(*keys[static_cast<std::size_t>(at)]));
  }
  if (parent->Is(Kind::kList) || parent->Is(Kind::kTuple)) {
    const auto at = std::find(parent->children.begin(), parent->children.end(), &call);
    return HandleOf(tree, *parent) + fmt::format("[{}]", at - parent->children.begin());
  }
  if (parent->Is(Kind::kCall) || parent->Is(Kind::kIfExp) || parent->Is(Kind::kKeyword))
    return HandleOf(tree, *parent);
  return {};
}

std::string WithOuter(const Node& node, const std::string& name) {
  for (const Node* at = node.parent; at != nullptr; at = at->parent) {
    if (at->Is(Kind::kFunctionDef) || at->Is(Kind::kAsyncFunctionDef))
      return QualifiedName(*at) + ".<locals>." + name;
    if (at->Is(Kind::kClassDef))
      return QualifiedName(*at) + "." + name;
  }
  return name;
}

}  // namespace

Kernels::Kernels(const SyntaxTree& tree, const Names& names, const StaticValues& values,
                 Outline& outline)
    : tree_(tree), names_(names), values_(values), outline_(outline), decorators_(tree, names) {
  std::vector<const Node*> makers;
  Walk(tree.root(), [&](const Node& node) {
    if (node.Is(Kind::kFunctionDef)) {
      makers.push_back(&node);
    } else if (node.Is(Kind::kCall) && decorators_.IsApplication(node)) {
      const Node& parent = *node.parent;
      const bool inner = node.field == Field::kArgs && parent.Is(Kind::kCall) &&
                         Argument(parent, 0, "") == &node && decorators_.IsApplication(parent);
      if (inner)
        return true;
      makers.push_back(&node);
      replaced_.insert(Replaced(node));
    }
    return true;
  });
  for (const Node* maker : makers) {
    if (replaced_.contains(maker))
      continue;
    if (maker->Is(Kind::kFunctionDef))
      AddDecorated(*maker);
    else
      AddApplication(*maker);
  }
}

/// What `f = wrap(f)` puts something around and no name leads to any more: the def, or the call that
/// f was until then. Null where an older f may still be meant.
const Node* Kernels::Replaced(const Node& application) const {
  const Node& statement = StatementOf(application);
  const Node* argument = &application;
  while (argument != nullptr && argument->Is(Kind::kCall) && decorators_.IsApplication(*argument))
    argument = Argument(*argument, 0, "");
  if (argument == nullptr || !argument->Is(Kind::kName) || !statement.Is(Kind::kAssign) ||
      application.parent != &statement || HandleOf(tree_, application) != argument->text)
    return nullptr;
  const auto bindings = ReachingBindings(names_, *argument);
  if (bindings.size() != 1 || !InOneBlock(StatementOf(*bindings.front()->node), statement))
    return nullptr;
  const Binding& binding = *bindings.front();
  return binding.value != nullptr ? binding.value : binding.node;
}

std::vector<Layer> Kernels::LayersOfDecorators(const Node& function) const {
  std::vector<Layer> layers;
  for (const Node* decorator : function.Children(Field::kDecorators)) {
    auto some = decorators_.LayersOf(*decorator);
    layers.insert(layers.end(), some.begin(), some.end());
  }
  return layers;
}

void Kernels::AddDecorated(const Node& function) {
  if (function.Child(Field::kDecorators) == nullptr)
    return;
  auto layers = LayersOfDecorators(function);
  if (Has(layers, DecoratorKind::kJit)) {
    AddKernel(function, std::string(function.text), QualifiedName(function),
              {&function, std::move(layers)});
  }
}

void Kernels::AddApplication(const Node& call) {
  std::vector<Made> found;
  Unwrap(call, 0, found);
  for (Made& made : found) {
    if (!Has(made.layers, DecoratorKind::kJit))
      continue;
    std::string name = HandleOf(tree_, call);
    if (name.empty())
      name = made.definition->text;
    std::string qualified = WithOuter(call, name);
    AddKernel(call, std::move(name), std::move(qualified), std::move(made));
  }
}

void Kernels::AddKernel(const Node& made, std::string name, std::string qualified, Made what) {
  KernelInfo& kernel = outline_.kernels.emplace_back();
  kernel.definition = what.definition;
  kernel.made = &made;
  kernel.name = std::move(name);
  kernel.qualified_name = std::move(qualified);
  kernel.parameters = ReadParameters(tree_, names_, *what.definition);
  for (Layer& layer : what.layers) {
    if (layer.info.kind == DecoratorKind::kAutotune)
      kernel.autotunes.push_back(AutotuneOf(*layer.call));
    if (layer.info.kind == DecoratorKind::kHeuristics)
      kernel.heuristics.push_back(HeuristicsOf(*layer.call));
    kernel.decorators.push_back(std::move(layer.info));
  }
  if (!kernel.autotunes.empty())
    kernel.autotune = kernel.autotunes.front();
  made_.emplace(&made, &kernel);
  bodies_.insert(what.definition);
}

const AutotuneInfo* Kernels::AutotuneOf(const Node& call) {
  const AutotuneInfo*& info = autotunes_[&call];
  if (info == nullptr)
    info = &outline_.autotunes.emplace_back(ReadAutotune(tree_, names_, values_, call));
  return info;
}

const HeuristicsInfo* Kernels::HeuristicsOf(const Node& call) {
  const HeuristicsInfo*& info = heuristics_[&call];
  if (info == nullptr)
    info = &outline_.heuristics.emplace_back(ReadHeuristics(names_, values_, call));
  return info;
}

void Kernels::Unwrap(const Node& node, int depth, std::vector<Made>& found) const {
  if (depth > kMaxReadDepth || found.size() > kMaxReadDepth)
    return;
  if (node.Is(Kind::kFunctionDef)) {
    found.push_back({&node, LayersOfDecorators(node)});
  } else if (node.Is(Kind::kName)) {
    for (const Binding* binding : ReachingBindings(names_, node)) {
      if (binding->node->Is(Kind::kFunctionDef)) {
        Unwrap(*binding->node, depth + 1, found);
      } else if (binding->value != nullptr) {
        Unwrap(*binding->value, depth + 1, found);
      }
    }
  } else if (node.Is(Kind::kIfExp)) {
    Unwrap(*node.Child(Field::kBody), depth + 1, found);
    Unwrap(*node.Child(Field::kOrElse), depth + 1, found);
  } else if (node.Is(Kind::kCall)) {
    const Node* first = Argument(node, 0, "");
    if (decorators_.IsApplication(node)) {
      auto layers = decorators_.LayersOf(*node.Child(Field::kFunc));
      for (Layer& layer : layers) layer.info.by_call = true;
      std::vector<Made> inner;
      Unwrap(*first, depth + 1, inner);
      for (Made& made : inner) {
        made.layers.insert(made.layers.begin(), layers.begin(), layers.end());
        found.push_back(std::move(made));
      }
      return;
    }
    const Node& callee = *node.Child(Field::kFunc);
    for (const Binding* binding :
         callee.Is(Kind::kName) ? names_.BindingsOf(callee) : std::vector<const Binding*>()) {
      if (!binding->node->Is(Kind::kFunctionDef))
        continue;
      for (const Node* value : ReturnedValues(*binding->node)) Unwrap(*value, depth + 1, found);
    }
  }
}

const Node* Kernels::BodyAround(const Node& node) const {
  for (const Node* at = &node; at != nullptr; at = at->parent) {
    if (IsKernelBody(*at))
      return at;
  }
  return nullptr;
}

}  // namespace croq::source
