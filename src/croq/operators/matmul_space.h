#pragma once

#include "croq/contract/contract.h"
#include "croq/model/search_space.h"
#include "croq/operators/matmul_config.h"

namespace croq::operators {

/// The variants that can compute the problem on the device, with the contract's levers cut to
/// values that make sense for its dimensions.
SearchSpace MatmulSpace(const MatmulProblem& problem, const contract::Contract& contract);

}  // namespace croq::operators
