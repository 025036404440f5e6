#pragma once

#include <cstdint>

#include "croq_runner/element.h"

namespace croq::runner {

/// The per-element bound of a brought problem's output, whose formula croq does not know:
///
///   |out - ref| <= 2.02 u |ref|              u is the stored type's unit roundoff: the result is
///                                            rounded once by every kernel, and twice by those that
///                                            round before a last multiplication, as models do
///                                            between norm and weight
///               +  4 tolerance scale         what happened before that: low-precision operands of
///                                            a matrix product, sums in another order
///               +  half of the type's smallest subnormal
///
/// `tolerance` is the contract's: it is stated for results of rms 0.25 (1e-3 in f16 is half a unit
/// in the last place at |c| = 4, or 4e-3 of such an rms), so it holds in proportion to the rms:
/// 4 tolerance rms. `scale` is the rms of the reference's own row (its last dimension, where that
/// has at least kRowColumns elements; else the whole tensor), but no less than kRowFloor of the
/// whole tensor's rms, for rows that are small by cancellation. So a tensor of small values gets a
/// small bound: zeros never pass unless the reference is zero.
///
/// Simulated in float64 against numerically honest and wrong results (softmax over 128 to 32768,
/// also with peaked rows; rms norm with residual, rounded between the steps or not; causal attention
/// with P and scaled Q rounded, lengths to 2048; split-K with 4 rounded partial sums, K to 16384;
/// layer norm; row sums; GELU), in f16, bf16 and f32. Largest |error| over bound: honest 0.61 (a
/// residual rounded to f16, then norm, rounding, weight). Smallest of wrong ones: 2.7 for a matmul's
/// accumulator in the narrow type (K = 4096), 3.1 for f16 or TF32 operands in an f32 problem, 3.1 for
/// 16 of 16384 products left out (bf16), 9 for 32 of 2048 keys left out of one row (bf16), 64 for a
/// row of zeros, more for lost scales, masks, weights and terms. What it can't see are errors below
/// the stored type's rounding, as a norm over 4160 elements instead of 4096 in bf16 (0.7).
struct ProblemBound {
  double on_reference = 0;
  double on_scale = 0;
  double absolute = 0;
};

inline constexpr std::int64_t kRowColumns = 64;
inline constexpr double kRowFloor = 0.125;

inline ProblemBound MakeProblemBound(Element element, double tolerance) {
  const Rounding rounding = RoundingOf(element);
  return {2.02 * rounding.unit_roundoff, 4 * tolerance, rounding.half_subnormal};
}

}  // namespace croq::runner
