#pragma once

#include <string>
#include <vector>

#include "croq/model/problem.h"
#include "croq/source/literal.h"

/// Numbers and distributions of a CROQ table. Inside the module.
namespace croq::source {

/// The number that a literal or a formula (a string) gives. `what` names it in messages.
Result<double> ReadNumber(const SyntaxTree& tree, const Node& node,
                          const std::vector<Dimension>& dimensions, const std::string& what);

/// Reads `"normal"` or `["uniform", low, high]` into the tensor.
Status ReadDistribution(const SyntaxTree& tree, const Node& node,
                        const std::vector<Dimension>& dimensions, TensorSpec& tensor);

}  // namespace croq::source
