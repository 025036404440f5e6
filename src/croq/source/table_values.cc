#include "croq/source/table_values.h"

#include <fmt/format.h>

#include "croq/source/formula.h"

namespace croq::source {
namespace {

struct DistributionRule {
  const char* name;
  Distribution distribution;
  std::size_t parameters;
  const char* form;
};

constexpr DistributionRule kDistributions[] = {
    {"normal", Distribution::kNormal, 2, "[\"normal\", mean, standard deviation]"},
    {"uniform", Distribution::kUniform, 2, "[\"uniform\", low, high]"},
    {"integer", Distribution::kInteger, 2, "[\"integer\", lowest, highest]"},
    {"constant", Distribution::kConstant, 1, "[\"constant\", value]"},
    {"arange", Distribution::kArange, 2, "[\"arange\", start, step]"},
};

}  // namespace

Result<double> ReadNumber(const SyntaxTree& tree, const Node& node,
                          const std::vector<Dimension>& dimensions, const std::string& what) {
  const Result<FormulaValue> value =
      Evaluate(node.IsString() ? node.text : tree.Text(node), dimensions);
  if (!value) return WrongAt(tree, node, fmt::format("{}: {}", what, value.error().message));
  return RealOf(*value);
}

Status ReadDistribution(const SyntaxTree& tree, const Node& node,
                        const std::vector<Dimension>& dimensions, TensorSpec& tensor) {
  std::string name;
  std::vector<const Node*> parameters;
  if (node.IsString()) {
    name = node.text;
  } else {
    CROQ_ASSIGN(parameters,
                ReadSequence(tree, node, fmt::format("the distribution of {}", tensor.name)));
    if (parameters.empty() || !parameters.front()->IsString()) {
      return WrongAt(tree, node, fmt::format("the distribution of {} starts with its name, such as "
                                              "[\"normal\", 0, 1]", tensor.name));
    }
    name = parameters.front()->text;
    parameters.erase(parameters.begin());
  }
  for (const DistributionRule& rule : kDistributions) {
    if (name != rule.name) continue;
    const bool bare_normal = parameters.empty() && rule.distribution == Distribution::kNormal;
    if (parameters.size() != rule.parameters && !bare_normal) {
      return WrongAt(tree, node, fmt::format("the distribution of {} is written {}", tensor.name,
                                              rule.form));
    }
    tensor.distribution = rule.distribution;
    double* const targets[] = {&tensor.first, &tensor.second};
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      CROQ_ASSIGN(*targets[i], ReadNumber(tree, *parameters[i], dimensions,
                                          fmt::format("the distribution of {}", tensor.name)));
    }
    return {};
  }
  return WrongAt(tree, node, fmt::format("'{}' is no distribution (there are normal, uniform, "
                                          "integer, constant, arange)", name));
}

}  // namespace croq::source
