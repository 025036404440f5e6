#pragma once

#include <vector>

#include "croq/model/problem.h"
#include "croq/source/literal.h"

/// The tensors and arguments of a CROQ table. Inside the module.
namespace croq::source {

/// Reads "inputs", "inout" and "outputs" into the problem's tensors and arguments. `entry` is the
/// function that they are passed to.
Status ReadTensors(const SyntaxTree& tree, const std::vector<DictEntry>& table, const Node& entry,
                   Problem& problem);

}  // namespace croq::source
