#include <algorithm>

#include "croq/source/reaching.h"
#include "croq/source/read_kernels.h"
#include "croq/source/triton_names.h"

/// Kernels::Of: which kernels of the file an expression may be.
namespace croq::source {
namespace {

constexpr int kMaxSearchDepth = 16;
constexpr std::size_t kMaxFound = 64;

}  // namespace

Kernels::Found Kernels::Of(const Node& expression) const {
  Found found;
  Collect(expression, 0, found);
  auto& kernels = found.kernels;
  std::vector<const KernelInfo*> once;
  for (const KernelInfo* kernel : kernels) {
    if (std::find(once.begin(), once.end(), kernel) == once.end())
      once.push_back(kernel);
  }
  kernels = std::move(once);
  return found;
}

void Kernels::Collect(const Node& node, int depth, Found& found) const {
  if (depth > kMaxSearchDepth || found.kernels.size() > kMaxFound)
    return;
  const auto [begin, end] = made_.equal_range(&node);
  if (begin != end) {
    for (auto at = begin; at != end; ++at) found.kernels.push_back(at->second);
    return;
  }
  switch (node.kind) {
    case Kind::kName:
      CollectName(node, depth, found);
      break;
    case Kind::kAttribute:
      CollectAttribute(node, depth, found);
      break;
    case Kind::kSubscript:
      CollectItem(node, depth, found);
      break;
    case Kind::kNamedExpr:
      Collect(*node.Child(Field::kValue), depth + 1, found);
      break;
    case Kind::kIfExp:
      Collect(*node.Child(Field::kBody), depth + 1, found);
      Collect(*node.Child(Field::kOrElse), depth + 1, found);
      break;
    case Kind::kBoolOp:
      for (const Node* child : node.children) Collect(*child, depth + 1, found);
      break;
    case Kind::kCall: {
      const std::size_t before = found.kernels.size();
      const Node& callee = *node.Child(Field::kFunc);
      for (const Binding* binding :
           callee.Is(Kind::kName) ? names_.BindingsOf(callee) : std::vector<const Binding*>()) {
        if (!binding->node->Is(Kind::kFunctionDef))
          continue;
        for (const Node* value : ReturnedValues(*binding->node)) Collect(*value, depth + 1, found);
      }
      if (found.kernels.size() != before)
        break;
      for (const Node* child : node.Children(Field::kArgs)) Collect(*child, depth + 1, found);
      found.through_wrapper = found.through_wrapper || found.kernels.size() != before;
      break;
    }
    default:
      break;
  }
}

void Kernels::CollectName(const Node& node, int depth, Found& found) const {
  for (const Binding* binding : ReachingBindings(names_, node)) {
    if (replaced_.contains(binding->value != nullptr ? binding->value : binding->node))
      continue;
    if (binding->value != nullptr) {
      Collect(*binding->value, depth + 1, found);
    } else if (binding->node->Is(Kind::kFunctionDef)) {
      Collect(*binding->node, depth + 1, found);
    }
  }
}

void Kernels::CollectAttribute(const Node& node, int depth, Found& found) const {
  const Node& base = *node.Child(Field::kValue);
  const std::size_t before = found.kernels.size();
  Collect(base, depth + 1, found);
  if (found.kernels.size() != before) {
    found.through_fn = found.through_fn || node.text == "fn";
    return;
  }
  const std::string name = TritonName(names_, node);
  if (!name.empty() && (name.front() != '.' || name.starts_with("..")))
    return;  // another module's
  for (const KernelInfo& kernel : outline_.kernels) {  // self.kernel, Class.kernel
    const Node* around = kernel.made->parent;
    while (around != nullptr && (around->Is(Kind::kAssign) || around->Is(Kind::kIf)))
      around = around->parent;
    const bool in_class = around != nullptr && around->Is(Kind::kClassDef);
    if ((in_class && kernel.name == node.text) || kernel.name == tree_.Text(node))
      found.kernels.push_back(&kernel);
  }
}

/// table["key"]; kernel[grid] itself is what the caller takes apart, except in a variable.
void Kernels::CollectItem(const Node& node, int depth, Found& found) const {
  const Node& base = *node.Child(Field::kValue);
  const Node* table = base.Is(Kind::kName) ? values_.Follow(base) : &base;
  if (table == nullptr || !(table->Is(Kind::kDict) || table->Is(Kind::kList) ||
                            table->Is(Kind::kTuple))) {
    const std::size_t before = found.kernels.size();
    Collect(base, depth + 1, found);
    found.through_wrapper = found.through_wrapper || found.kernels.size() != before;
    return;
  }
  const auto index = values_.EvaluateLiteral(*node.Child(Field::kSlice));
  const auto keys = table->Children(Field::kKeys);
  std::size_t at = 0;
  for (const Node* child : table->children) {
    if (child->field == Field::kKeys)
      continue;
    const std::size_t position = at++;
    if (index && table->Is(Kind::kDict) && child->field == Field::kValues &&
        position < keys.size()) {
      const auto key = values_.EvaluateLiteral(*keys[position]);
      if (key && !(*key == *index))
        continue;
    } else if (index && std::holds_alternative<std::int64_t>(*index) &&
               std::get<std::int64_t>(*index) != static_cast<std::int64_t>(position)) {
      continue;
    }
    Collect(*child, depth + 1, found);
  }
}

}  // namespace croq::source
