#pragma once

#include <cstdint>

#include "croq_runner/kernel_params.h"
#include "croq_runner/numerics.h"

/// How the elements of a brought problem's tensors are drawn. Pure functions of the element's index
/// that host and device agree on to the last bit: every product and sum is rounded by itself.
namespace croq::runner {

#ifdef __CUDA_ARCH__
CROQ_HOST_DEVICE double RoundedProduct(double a, double b) { return __dmul_rn(a, b); }
CROQ_HOST_DEVICE double RoundedSum(double a, double b) { return __dadd_rn(a, b); }
#else
CROQ_HOST_DEVICE double RoundedProduct(double a, double b) { return a * b; }
CROQ_HOST_DEVICE double RoundedSum(double a, double b) { return a + b; }
#endif

/// The value of one element from its 64 random bits. kNormal is the sum of four uniforms of
/// numerics.h: no value lies beyond 3.46 standard deviations. kUniform has 32 bits below the
/// point; rounding to a narrow type may give its upper end.
CROQ_HOST_DEVICE double DrawnValue(const DrawParams& p, std::uint64_t index, std::uint32_t low,
                                   std::uint32_t high) {
  switch (p.draw) {
    case Draw::kNormal:
      return RoundedSum(
          p.first, RoundedProduct(p.second, CentredSum(low, high) / kCentredSumDeviation));
    case Draw::kUniform:
      return RoundedSum(p.first, RoundedProduct(p.second - p.first, low * 0x1p-32));
    case Draw::kInteger: {
      const auto first = static_cast<std::int64_t>(p.first);
      const auto count = static_cast<std::uint64_t>(static_cast<std::int64_t>(p.second) - first + 1);
      const std::uint64_t bits = (static_cast<std::uint64_t>(high) << 32) | low;
      // The remainder favours small values by 2^-32 at most for ranges below 2^32.
      const std::uint64_t step = count == 0 ? bits : bits % count;
      return static_cast<double>(static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + step));
    }
    case Draw::kArange:
      return RoundedSum(p.first, RoundedProduct(p.second, static_cast<double>(index)));
    case Draw::kConstant:
      break;
  }
  return p.first;
}

/// The whole number that a tensor of an integer type stores for a drawn value: the nearest, but of
/// a uniform draw the one below, so that [0, 8) gives 0 to 7; clamped to the type.
CROQ_HOST_DEVICE std::int64_t WholeNumber(double value, Draw draw, Element element) {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  switch (element) {
    case Element::kI8: lowest = -128; highest = 127; break;
    case Element::kU8: lowest = 0; highest = 255; break;
    case Element::kI16: lowest = -32768; highest = 32767; break;
    case Element::kI32: lowest = -2147483647 - 1; highest = 2147483647; break;
    default: lowest = -0x7FFFFFFFFFFFFFFF - 1; highest = 0x7FFFFFFFFFFFFFFF;
  }
  // 2^63 is the first double that does not fit; comparisons with the limits themselves are exact
  // for the narrower types.
  if (value >= 9223372036854775808.0) return highest;
  if (value <= -9223372036854775808.0) return lowest;
  auto whole = static_cast<std::int64_t>(value);  // towards zero
  const double rest = value - static_cast<double>(whole);
  if (draw == Draw::kUniform) {
    if (rest < 0) --whole;
  } else {
    if (rest >= 0.5) ++whole;
    if (rest < -0.5) --whole;
  }
  if (whole < lowest) return lowest;
  return whole > highest ? highest : whole;
}

/// A power of two within double's normal range.
CROQ_HOST_DEVICE double PowerOfTwo(int exponent) {
  double value = 1;
  for (int i = 0; i < exponent; ++i) value *= 2;
  for (int i = 0; i > exponent; --i) value /= 2;
  return value;
}

/// Bits of an 8-bit float: kF8E4 (e4m3fn: bias 7, no infinities, largest 448) or kF8E5 (e5m2: bias
/// 15, largest finite 57344). To nearest, ties to even; beyond the largest value: the largest.
CROQ_HOST_DEVICE unsigned char Float8Bits(double value, Element element) {
  const int mantissa = element == Element::kF8E4 ? 3 : 2;
  const int bias = element == Element::kF8E4 ? 7 : 15;
  const unsigned largest = element == Element::kF8E4 ? 0x7Eu : 0x7Bu;
  const unsigned sign = value < 0 ? 0x80u : 0u;
  const double magnitude = value < 0 ? -value : value;
  int exponent = 1 - bias;
  while (exponent < bias + 2 && magnitude >= PowerOfTwo(exponent + 1)) ++exponent;
  const double steps = magnitude / PowerOfTwo(exponent - mantissa);  // exact
  if (steps >= 1 << (mantissa + 2)) return static_cast<unsigned char>(sign | largest);
  auto whole = static_cast<unsigned>(steps);
  const double rest = steps - whole;
  if (rest > 0.5 || (rest == 0.5 && whole % 2 == 1)) ++whole;
  // A carry out of the mantissa lands in the exponent, as it must.
  const unsigned bits = (static_cast<unsigned>(exponent + bias - 1) << mantissa) + whole;
  return static_cast<unsigned char>(sign | (bits > largest ? largest : bits));
}

CROQ_HOST_DEVICE double Float8Value(unsigned bits, Element element) {
  const int mantissa = element == Element::kF8E4 ? 3 : 2;
  const int bias = element == Element::kF8E4 ? 7 : 15;
  const unsigned field = (bits & 0x7Fu) >> mantissa;
  const unsigned rest = bits & ((1u << mantissa) - 1);
  const double sign = (bits & 0x80u) != 0 ? -1.0 : 1.0;
  const double infinity = 1e300 * 1e300;
  if (element == Element::kF8E4 && (bits & 0x7Fu) == 0x7Fu) return infinity - infinity;
  if (element == Element::kF8E5 && field == 31) return rest == 0 ? sign * infinity : infinity - infinity;
  if (field == 0) return sign * rest * PowerOfTwo(1 - bias - mantissa);
  return sign * ((1u << mantissa) + rest) * PowerOfTwo(static_cast<int>(field) - bias - mantissa);
}

}  // namespace croq::runner
