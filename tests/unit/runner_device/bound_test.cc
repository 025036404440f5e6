#include "croq_runner/bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace croq::runner {
namespace {

constexpr double kConstant = 8;

/// Keeps `bits` explicit mantissa bits of a float, rounding to nearest or cutting off.
float Shorten(float value, int bits, bool cut) {
  auto raw = std::bit_cast<std::uint32_t>(value);
  const int dropped = 23 - bits;
  if (!cut) raw += (1u << (dropped - 1)) - 1 + ((raw >> dropped) & 1u);
  return std::bit_cast<float>(raw & ~((1u << dropped) - 1));
}

struct Vectors {
  std::vector<float> a;
  std::vector<float> b;
};

Vectors DrawVectors(std::int64_t k, std::uint32_t stream) {
  Vectors v;
  const float scale = InputScale(DType::kF32, k);
  for (std::int64_t i = 0; i < k; ++i) {
    const PhiloxWords w = Philox(InputCounter(static_cast<std::uint64_t>(i), stream), 1, 2);
    v.a.push_back(static_cast<float>(CentredSum(w.word[0], w.word[1])) * scale);
    v.b.push_back(static_cast<float>(CentredSum(w.word[2], w.word[3])) * scale);
  }
  return v;
}

/// The largest ratio of error to bound over many dot products of which `compute` is the candidate.
template <typename Compute>
double WorstRatio(DType dtype, std::int64_t k, int dots, Compute compute) {
  const BoundTerms terms = MakeBound(dtype, k, kConstant);
  double worst = 0;
  for (int dot = 0; dot < dots; ++dot) {
    const Vectors v = DrawVectors(k, static_cast<std::uint32_t>(dot));
    double reference = 0;
    double products = 0;
    for (std::size_t i = 0; i < v.a.size(); ++i) {
      reference += static_cast<double>(v.a[i]) * static_cast<double>(v.b[i]);
      products += std::fabs(static_cast<double>(v.a[i]) * static_cast<double>(v.b[i]));
    }
    const double error = std::fabs(static_cast<double>(compute(v)) - reference);
    worst = std::fmax(worst, error / ErrorBound(reference, products, terms));
  }
  return worst;
}

float Accumulate(const Vectors& v, int mantissa_bits, bool cut) {
  float sum = 0;
  for (std::size_t i = 0; i < v.a.size(); ++i) {
    sum += Shorten(v.a[i], mantissa_bits, cut) * Shorten(v.b[i], mantissa_bits, cut);
  }
  return sum;
}

float Plain(const Vectors& v) {
  float sum = 0;
  for (std::size_t i = 0; i < v.a.size(); ++i) sum += v.a[i] * v.b[i];
  return sum;
}

class BoundAtK : public testing::TestWithParam<std::int64_t> {};

TEST_P(BoundAtK, HoldsForFloat32AccumulationInOrder) {
  EXPECT_LT(WorstRatio(DType::kF32, GetParam(), 200, Plain), 1);
}

TEST_P(BoundAtK, HoldsForTf32WhetherInputsAreRoundedOrCut) {
  for (const bool cut : {false, true}) {
    const auto tf32 = [cut](const Vectors& v) { return Accumulate(v, 10, cut); };
    EXPECT_LT(WorstRatio(DType::kTf32Fp32, GetParam(), 200, tf32), 1) << "cut " << cut;
  }
}

TEST_P(BoundAtK, SeesInputsOfOtherPrecision) {
  const auto bf16 = [](const Vectors& v) { return Accumulate(v, 7, true); };
  EXPECT_GT(WorstRatio(DType::kTf32Fp32, GetParam(), 200, bf16), 1);
}

TEST_P(BoundAtK, SeesAProductLeftOut) {
  const auto short_of_one = [](const Vectors& v) {
    Vectors less = v;
    less.a.back() = 0;
    return Plain(less);
  };
  for (const DType dtype : {DType::kF16Fp32, DType::kF32}) {
    EXPECT_GT(WorstRatio(dtype, GetParam(), 50, short_of_one), 1) << FactsOf(dtype).name;
  }
}

INSTANTIATE_TEST_SUITE_P(Ks, BoundAtK, testing::Values(1, 16, 64, 512, 4096));

TEST(MakeBound, TakesTheRoundingOfTheStoredType) {
  EXPECT_DOUBLE_EQ(MakeBound(DType::kF16Fp32, 64, 8).on_reference, 1.01 * 0x1p-11);
  EXPECT_DOUBLE_EQ(MakeBound(DType::kBf16Fp32, 64, 8).on_reference, 1.01 * 0x1p-8);
  EXPECT_DOUBLE_EQ(MakeBound(DType::kF32, 64, 8).on_products, 8 * 8 * 0x1p-24);
  EXPECT_DOUBLE_EQ(MakeBound(DType::kF16Fp32, 64, 8).absolute, 0x1p-25);
  EXPECT_DOUBLE_EQ(MakeBound(DType::kBf16Fp32, 64, 8).absolute, 0);
}

TEST(InputDeviation, GivesAResultOfDeviationAQuarter) {
  for (const std::int64_t k : {1, 512, 16384}) {
    const double s = InputDeviation(DType::kF16Fp32, k);
    EXPECT_NEAR(std::sqrt(static_cast<double>(k)) * s * s, 0.25, 1e-12);
  }
}

TEST(InputDeviation, GivesFloat8WithOneScaleAQuarterOfThat) {
  const double s = InputDeviation(DType::kE4m3Fp32, 4096);
  EXPECT_NEAR(64 * s * s, 0.0625, 1e-12);
  EXPECT_FLOAT_EQ(InputScale(DType::kE4m3Fp32, 4096),
                  static_cast<float>(1 / kCentredSumDeviation));
}

/// What Hopper's FP8 units do: sums of 32 products, each cut to 13 bits below the largest of them and
/// of the sum so far.
float CutSums(const Vectors& v) {
  constexpr std::size_t kStep = 32;
  double sum = 0;
  for (std::size_t first = 0; first < v.a.size(); first += kStep) {
    const std::size_t end = std::min(v.a.size(), first + kStep);
    double largest = std::fabs(sum);
    for (std::size_t i = first; i < end; ++i) {
      largest = std::fmax(largest, std::fabs(static_cast<double>(v.a[i] * v.b[i])));
    }
    if (largest == 0) continue;
    const double step = std::ldexp(1, std::ilogb(largest) - 13);
    double total = std::trunc(sum / step);
    for (std::size_t i = first; i < end; ++i) {
      total += std::trunc(static_cast<double>(v.a[i] * v.b[i]) / step);
    }
    sum = total * step;
  }
  return static_cast<float>(sum);
}

TEST(MakeBound, HoldsForWhatFloat8UnitsCutOff) {
  for (const std::int64_t k : {32, 512, 4096, 16384}) {
    EXPECT_LT(WorstRatio(DType::kE4m3Fp32, k, 200, CutSums), 1) << k;
    const auto short_of_a_step = [](const Vectors& v) {
      Vectors less = v;
      for (std::size_t i = 0; i < std::min<std::size_t>(v.a.size(), 128); ++i) less.a[i] = 0;
      return CutSums(less);
    };
    EXPECT_GT(WorstRatio(DType::kE4m3Fp32, k, 200, short_of_a_step), 1) << k;
  }
}

}  // namespace
}  // namespace croq::runner
