#include "croq/source/parameters.h"

#include "croq/source/triton_names.h"

namespace croq::source {
namespace {

bool Before(const Node& one, const Node& other) {
  return std::pair(one.span.line, one.span.column) < std::pair(other.span.line, other.span.column);
}

bool IsConstexprName(std::string_view name) {
  return name == "constexpr" || name.ends_with(".constexpr");
}

/// tl.constexpr, "tl.constexpr", and either in a union or subscript of its own.
bool IsConstexpr(const Names& names, const Node& annotation) {
  bool found = false;
  Walk(annotation, [&](const Node& node) {
    if (node.IsString()) {
      found = found || IsConstexprName(node.text);
    } else if (node.Is(Kind::kName) || node.Is(Kind::kAttribute)) {
      found = found || IsConstexprName(node.text) || IsConstexprName(TritonName(names, node));
    }
    return !found && !node.Is(Kind::kCall);
  });
  return found;
}

ParameterInfo Parameter(const SyntaxTree& tree, const Names& names, const Node& node) {
  ParameterInfo parameter;
  parameter.name = node.text;
  parameter.node = &node;
  if (const Node* annotation = node.Child(Field::kAnnotation)) {
    parameter.annotation = tree.Text(*annotation);
    parameter.is_constexpr = IsConstexpr(names, *annotation);
  }
  return parameter;
}

}  // namespace

std::vector<ParameterInfo> ReadParameters(const SyntaxTree& tree, const Names& names,
                                          const Node& function) {
  std::vector<ParameterInfo> parameters;
  const Node* arguments = function.Child(Field::kArgs);
  if (arguments == nullptr)
    return parameters;
  for (const Field field : {Field::kPosOnlyArgs, Field::kArgs}) {
    for (const Node* node : arguments->Children(field))
      parameters.push_back(Parameter(tree, names, *node));
  }
  const auto defaults = arguments->Children(Field::kDefaults);  // of the last ones
  for (std::size_t i = 0; i < defaults.size() && i < parameters.size(); ++i) {
    parameters[parameters.size() - 1 - i].default_value = defaults[defaults.size() - 1 - i];
  }
  const auto keyword_only = arguments->Children(Field::kKwOnlyArgs);
  const auto kw_defaults = arguments->Children(Field::kKwDefaults);
  for (std::size_t i = 0; i < keyword_only.size(); ++i) {
    ParameterInfo parameter = Parameter(tree, names, *keyword_only[i]);
    parameter.keyword_only = true;
    for (const Node* value : kw_defaults) {  // the tree keeps no holes for those without one
      if (Before(*keyword_only[i], *value) &&
          (i + 1 == keyword_only.size() || Before(*value, *keyword_only[i + 1])))
        parameter.default_value = value;
    }
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

}  // namespace croq::source
