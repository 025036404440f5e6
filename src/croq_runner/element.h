#pragma once

#include <optional>
#include <string_view>

#include "croq_runner/kernel_params.h"

namespace croq::runner {

/// By Triton's name, as in TensorSpec::element.
std::optional<Element> ElementNamed(std::string_view triton_name);

/// Of an element of a floating type; zeros for others.
struct Rounding {
  double unit_roundoff = 0;   ///< 2^-p for p bits of significand
  double half_subnormal = 0;  ///< half of the smallest number above zero
};
Rounding RoundingOf(Element element);

/// The contract's tolerance on an output whose rms is 0.25, by its storage type (croq's own for
/// float32; for 8-bit floats bfloat16's, as their rounding is bounded beside it). 0 for integers.
double DefaultTolerance(Element element);

}  // namespace croq::runner
