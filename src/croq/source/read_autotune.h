#pragma once

#include "croq/source/outline.h"
#include "croq/source/static_values.h"

/// Inside the module: what the calls of triton.autotune and triton.heuristics say.
namespace croq::source {

AutotuneInfo ReadAutotune(const SyntaxTree& tree, const Names& names, const StaticValues& values,
                          const Node& call);
HeuristicsInfo ReadHeuristics(const Names& names, const StaticValues& values, const Node& call);

}  // namespace croq::source
