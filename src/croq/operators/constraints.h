#pragma once

#include <optional>
#include <string>

#include "croq/model/config.h"
#include "croq/operators/matmul_config.h"

namespace croq::operators {

/// Why a configuration is not worth compiling: it can't fit, Triton is known to refuse it, or
/// another one is the same program with less. Nothing where it may be built. The reason is one
/// sentence with the figures in it.
std::optional<std::string> RejectMatmul(const MatmulProblem& problem, const Config& config);

/// Whether the rows of A, B and C start at multiples of 16 bytes, which TMA demands.
bool AllowsDescriptors(const ShapeKey& shape);

}  // namespace croq::operators
