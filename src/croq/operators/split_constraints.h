#pragma once

#include <optional>
#include <string>

#include "croq/operators/matmul_config.h"

namespace croq::operators {

/// Why K should not be split over programs that way; nothing where it may be, or is not.
std::optional<std::string> CheckSplitK(const MatmulProblem& problem, const MatmulConfig& config);

/// Why sharing out the tiles of the last wave gains nothing; nothing where it may, or is not done.
std::optional<std::string> CheckStreamK(const MatmulProblem& problem, const MatmulConfig& config);

}  // namespace croq::operators
