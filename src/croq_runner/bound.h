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
///
/// tf32 also rounds the inputs to 11 bits, and the tensor cores cut off the rest rather than round,
/// so a product is off by up to 4 * 2^-11 of itself and by 1.4 * 2^-11 on average, always towards
/// zero. The average part follows the result: 4 * 2^-11 |ref|. The rest is random: with standard
/// deviation 0.6 * 2^-11 sqrt(sum of (ab)^2), where the root is 1.57 P / sqrt(K) for normal inputs,
/// ten times 2^-11 P / sqrt(K) is ten deviations, and it is never more than 4 * 2^-11 P. The worst
/// case for all of P would hide errors of half of C's own deviation at K = 4096.
inline BoundTerms MakeBound(DType dtype, std::int64_t k, double constant) {
  const double root = std::sqrt(static_cast<double>(k));
  BoundTerms terms{1.01 * FactsOf(dtype).unit_roundoff, constant * root * 0x1p-24, 0};
  if (dtype == DType::kF16Fp32) terms.absolute = 0x1p-25;
  if (dtype == DType::kTf32Fp32) {
    terms.on_reference += 4 * 0x1p-11;
    terms.on_products += std::fmin(4.0, 10.0 / root) * 0x1p-11;
  }
  return terms;
}

/// Standard deviation of the elements of A and of B that gives C the deviation 0.25: C's variance
/// is K s^4. Then |c| stays below 2, where f16 rounds by less than 5e-4, half the contract's
/// tolerance.
inline double InputDeviation(std::int64_t k) {
  return std::sqrt(0.25 / std::sqrt(static_cast<double>(k)));
}

/// What CentredSum is multiplied by for that.
inline float InputScale(std::int64_t k) {
  return static_cast<float>(InputDeviation(k) / kCentredSumDeviation);
}

}  // namespace croq::runner
