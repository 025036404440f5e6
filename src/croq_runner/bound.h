#pragma once

#include <cmath>
#include <cstdint>

#include "croq/model/dtype.h"
#include "croq_runner/numerics.h"

namespace croq::runner {

/// The per-element bound for C = A.B with K products a sum, inputs taken as given, P = |A|.|B|:
///
///   |c - ref| <= 1.01 u |ref|            rounding of the stored result; u is the dtype's
///             +  constant sqrt(K) 2^-24 P  float32 accumulation in any order. sqrt(K) u holds with
///                                          high probability (Higham and Mary 2019; Ipsen and Zhou
///                                          2020); K u, the certain bound, is far too loose
///             +  2^-25 for f16            half of its smallest subnormal
///             +  c8 2^-13 P for FP8       Hopper's FP8 units cut what they add to 14 bits
///
/// FP8 as the libraries run it (fast accumulation) keeps a sum in the unit from the first product to
/// the last: its error is a random walk, as P is, so c8 does not depend on K. On an H200 the largest of
/// cuBLAS and of Triton alike was 3.1 (K = 512), 4.5 (8192) and 6.4 (8192, over 67 million elements):
/// c8 = 12. Block scales are applied to 128 products at a time in float32; what was cut then averages
/// out over K: 2.4, 0.6 and 0.2 at K = 512, 8192 and 28672, so c8 = min(12, 200 / sqrt(K)).
///
/// tf32 also rounds the inputs to 11 bits, and the tensor cores cut off the rest rather than round,
/// so a product is off by up to 4 * 2^-11 of itself and by 1.4 * 2^-11 on average, always towards
/// zero. The average part follows the result: 4 * 2^-11 |ref|. The rest is random: with standard
/// deviation 0.6 * 2^-11 sqrt(sum of (ab)^2), where the root is 1.57 P / sqrt(K) for normal inputs,
/// ten times 2^-11 P / sqrt(K) is ten deviations, and it is never more than 4 * 2^-11 P. The worst
/// case for all of P would hide errors of half of C's own deviation at K = 4096.
inline BoundTerms MakeBound(DType dtype, std::int64_t k, double constant) {
  const double root = std::sqrt(static_cast<double>(k));
  constexpr double kFloat8Sum = 12 * 0x1p-13;
  constexpr double kFloat8Blocks = 200 * 0x1p-13;
  BoundTerms terms{1.01 * FactsOf(dtype).unit_roundoff, constant * root * 0x1p-24, 0};
  if (dtype == DType::kF16Fp32 || dtype == DType::kE4m3Fp16Fp32) terms.absolute = 0x1p-25;
  if (dtype == DType::kE4m3Fp32) terms.on_products += kFloat8Sum;
  if (dtype == DType::kE4m3Fp16Fp32) terms.on_products += std::fmin(kFloat8Sum, kFloat8Blocks / root);
  if (dtype == DType::kTf32Fp32) {
    terms.on_reference += 4 * 0x1p-11;
    terms.on_products += std::fmin(4.0, 10.0 / root) * 0x1p-11;
  }
  return terms;
}

/// Standard deviation that C is given. At 0.25 |c| stays below 2, where f16 rounds by less than 5e-4,
/// half the contract's tolerance. FP8 with fast accumulation is off by up to 1.3e-2 at that (cuBLAS on
/// an H200, 8192^3), above the tolerance of 1e-2; at a quarter of it by 3.4e-3.
inline double ResultDeviation(DType dtype) { return dtype == DType::kE4m3Fp32 ? 0.0625 : 0.25; }

/// Standard deviation of the elements of A and of B (scales included) for that: C's variance is K s^4.
inline double InputDeviation(DType dtype, std::int64_t k) {
  return std::sqrt(ResultDeviation(dtype) / std::sqrt(static_cast<double>(k)));
}

/// What CentredSum is multiplied by for that. FP8 elements have the deviation 1, and scales the rest.
inline float InputScale(DType dtype, std::int64_t k) {
  const double deviation = FactsOf(dtype).scaled ? 1 : InputDeviation(dtype, k);
  return static_cast<float>(deviation / kCentredSumDeviation);
}

}  // namespace croq::runner
