#pragma once

#include <optional>

#include "croq/contract/contract.h"
#include "croq/model/problem.h"
#include "croq/source/syntax.h"

namespace croq::tune {

/// The same problem with dimensions that an interpreter can bear: the largest is halved, an odd one
/// to an odd one, until all tensors together have at most `most_elements`. Nothing where the file's
/// table can't be read with such dimensions (a formula gives no whole number then).
std::optional<Problem> SmallerProblem(const source::SyntaxTree& tree, const Problem& problem,
                                      const contract::Contract& contract,
                                      std::int64_t most_elements);

}  // namespace croq::tune
