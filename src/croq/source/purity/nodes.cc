#include <algorithm>
#include <array>

#include "croq/source/purity/scene.h"

namespace croq::source::purity {

bool IsFunctionNode(const Node& node) {
  return node.Is(Kind::kFunctionDef) || node.Is(Kind::kAsyncFunctionDef) || node.Is(Kind::kLambda);
}

const Node* EnclosingFunction(const Node& node) {
  const Node* child = &node;
  for (const Node* parent = node.parent; parent != nullptr; parent = parent->parent) {
    if (IsFunctionNode(*parent) && child->field == Field::kBody)
      return parent;
    child = parent;
  }
  return nullptr;
}

bool IsMainGuard(const Node& statement) {
  const Node* test = statement.Is(Kind::kIf) ? statement.Child(Field::kTest) : nullptr;
  if (test == nullptr || !test->Is(Kind::kCompare) || test->text != "Eq")
    return false;
  const auto holds = [&](auto&& is) { return std::ranges::any_of(test->children, is); };
  return holds([](const Node* side) { return side->Is(Kind::kName) && side->text == "__name__"; }) &&
         holds([](const Node* side) { return side->IsString() && side->text == "__main__"; });
}

bool StandsInMain(const Node& node) {
  const Node* child = &node;
  for (const Node* parent = node.parent; parent != nullptr; parent = parent->parent) {
    if (child->field == Field::kBody && IsMainGuard(*parent))
      return true;
    child = parent;
  }
  return false;
}

const Node* EnclosingClass(const Node& function) {
  const Node* parent = function.parent;
  while (parent != nullptr && (parent->Is(Kind::kIf) || parent->Is(Kind::kTry)))
    parent = parent->parent;
  return parent != nullptr && parent->Is(Kind::kClassDef) ? parent : nullptr;
}

std::vector<const Node*> ParametersOf(const Node& function) {
  std::vector<const Node*> found;
  const Node* arguments = function.Child(Field::kArgs);
  if (arguments == nullptr)
    return found;
  for (const Field field : {Field::kPosOnlyArgs, Field::kArgs, Field::kVarArg, Field::kKwOnlyArgs,
                            Field::kKwArg}) {
    for (const Node* argument : arguments->Children(field)) found.push_back(argument);
  }
  return found;
}

std::vector<const Node*> DefaultsOf(const Node& function) {
  std::vector<const Node*> found;
  if (const Node* arguments = function.Child(Field::kArgs)) {
    for (const Node* child : arguments->children) {
      if (child->field == Field::kDefaults || child->field == Field::kKwDefaults)
        found.push_back(child);
    }
  }
  return found;
}

std::vector<std::pair<const Node*, const Node*>> DefaultsByParameter(const Node& function) {
  std::vector<std::pair<const Node*, const Node*>> found;
  const Node* arguments = function.Child(Field::kArgs);
  if (arguments == nullptr)
    return found;
  std::vector<const Node*> positional = arguments->Children(Field::kPosOnlyArgs);
  for (const Node* argument : arguments->Children(Field::kArgs)) positional.push_back(argument);
  const std::vector<const Node*> defaults = arguments->Children(Field::kDefaults);
  for (std::size_t index = 0; index < defaults.size() && index < positional.size(); ++index) {
    found.emplace_back(positional[positional.size() - defaults.size() + index], defaults[index]);
  }
  // A keyword-only parameter without a default leaves no node: the next default belongs to the last
  // parameter that stands before it in the file.
  const std::vector<const Node*> named = arguments->Children(Field::kKwOnlyArgs);
  for (const Node* value : arguments->Children(Field::kKwDefaults)) {
    const auto after = [&](const Node* argument) {
      return std::pair(argument->span.line, argument->span.column) >
             std::pair(value->span.line, value->span.column);
    };
    const auto next = std::ranges::find_if(named, after);
    if (next != named.begin())
      found.emplace_back(*(next - 1), value);
  }
  return found;
}

bool IsContext(const Binding& binding) {
  if (!binding.node->Is(Kind::kArg))
    return false;
  const Node& function = *binding.node->parent->parent;
  const std::vector<const Node*> parameters = ParametersOf(function);
  return EnclosingClass(function) != nullptr && !parameters.empty() &&
         parameters.front() == binding.node &&
         (function.text == "forward" || function.text == "backward" ||
          function.text == "setup_context") &&
         parameters.front()->text != "self";
}

std::string QualifiedName(const Node& function) {
  std::string name(function.Is(Kind::kLambda) ? "lambda" : function.text);
  for (const Node* parent = function.parent; parent != nullptr; parent = parent->parent) {
    if (IsFunctionNode(*parent) || parent->Is(Kind::kClassDef))
      name = (parent->Is(Kind::kLambda) ? "lambda" : std::string(parent->text)) + "." + name;
  }
  return name;
}

ChainStep StepOf(const Node& function) {
  return {QualifiedName(function), function.span.line, function.span.column};
}

bool IsDunder(std::string_view name) {
  return name.size() > 4 && name.starts_with("__") && name.ends_with("__");
}

const Node* RootName(const Node& expression) {
  const Node* node = &expression;
  while (node != nullptr && (node->Is(Kind::kAttribute) || node->Is(Kind::kSubscript) ||
                             node->Is(Kind::kStarred)))
    node = node->Child(Field::kValue);
  return node != nullptr && node->Is(Kind::kName) ? node : nullptr;
}

std::string Shown(const SyntaxTree& tree, const Node& node) {
  std::string text(tree.Text(node));
  constexpr std::size_t kLongest = 60;
  if (const std::size_t line = text.find_first_of("\r\n"); line != std::string::npos)
    text = text.substr(0, line) + "...";
  if (text.size() > kLongest) {
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    text = text.substr(0, end) + "...";
  }
  return text;
}

bool MakesTensor(std::string_view name) {
  constexpr std::string_view kTorch = "torch.";
  if (!name.starts_with(kTorch))
    return false;
  static constexpr std::array<std::string_view, 30> kMakers{
      "arange",     "as_tensor", "bmm",        "cat",        "clone",       "empty",
      "empty_like", "empty_strided", "exp",    "eye",        "from_numpy",  "full",
      "full_like",  "linspace",  "matmul",     "mm",         "ones",        "ones_like",
      "rand",       "rand_like", "randint",    "randint_like", "randn",     "randn_like",
      "randperm",   "stack",     "sum",        "tensor",     "zeros",       "zeros_like"};
  return std::ranges::binary_search(kMakers, name.substr(kTorch.size()));
}

bool ComputesInTorch(std::string_view name) {
  constexpr std::string_view kTorch = "torch.";
  if (!name.starts_with(kTorch))
    return false;
  name.remove_prefix(kTorch.size());
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos)
    return name != "cuda" && name != "utils" && name != "distributed" && name != "autograd";
  static constexpr std::array<std::string_view, 12> kComputing{
      "nn",  "linalg", "special",    "fft",    "sparse", "functional",
      "Tensor", "signal", "quantization", "masked", "nested", "ao"};
  return std::ranges::find(kComputing, name.substr(0, dot)) != kComputing.end();
}

}  // namespace croq::source::purity
