#pragma once

#include <vector>

#include "croq/source/outline.h"

namespace croq::source {

/// Inside the module: the parameters of a kernel, `*args` and `**kwargs` left out (kernels have
/// none).
std::vector<ParameterInfo> ReadParameters(const SyntaxTree& tree, const Names& names,
                                          const Node& function);

}  // namespace croq::source
