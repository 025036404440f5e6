#include "croq_runner/problem_bound.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "croq_runner/problem_reference.h"
#include "support/half_bits.h"

namespace croq::runner {
namespace {

using ::croq::testing::Bf16FromFloat;
using ::croq::testing::FloatFromBf16;
using ::croq::testing::FloatFromHalf;
using ::croq::testing::HalfFromFloat;

float Rounded(float value, Element element) {
  if (element == Element::kF16)
    return FloatFromHalf(HalfFromFloat(value));
  return element == Element::kBf16 ? FloatFromBf16(Bf16FromFloat(value)) : value;
}

using Rows = std::vector<float>;

/// Largest |error| over bound, as croq_check computes it.
double Worst(const Rows& output, const Rows& reference, std::int64_t columns, Element element) {
  const ProblemBound bound = MakeProblemBound(element, DefaultTolerance(element));
  const auto count = static_cast<std::int64_t>(reference.size());
  const std::vector<float> scales = RowScales(reference.data(), count, columns);
  double worst = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const auto wanted = static_cast<double>(reference[i]);
    const auto scale = static_cast<double>(scales[i / static_cast<std::size_t>(columns)]);
    const double allowed =
        bound.on_reference * std::fabs(wanted) + bound.on_scale * scale + bound.absolute;
    worst = std::max(worst, std::fabs(static_cast<double>(output[i]) - wanted) / allowed);
  }
  return worst;
}

/// Softmax of normal inputs, in double.
struct Softmax {
  Softmax(std::size_t rows, std::size_t columns, Element element) {
    std::mt19937 generator(7);
    std::normal_distribution<float> normal;
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<double> e;
      double sum = 0;
      for (std::size_t i = 0; i < columns; ++i) {
        e.push_back(std::exp(static_cast<double>(normal(generator))));
        sum += e.back();
      }
      for (const double one : e) {
        reference.push_back(static_cast<float>(one / sum));
        honest.push_back(Rounded(static_cast<float>(one / sum), element));
      }
    }
  }
  Rows reference;
  Rows honest;
};

constexpr Element kReals[] = {Element::kF16, Element::kBf16, Element::kF32};

TEST(ProblemBoundTest, HonestRoundingPassesAtEveryScale) {
  for (const Element element : kReals) {
    for (const std::size_t columns : {64u, 500u, 8192u}) {
      const Softmax softmax(8, columns, element);
      EXPECT_LT(Worst(softmax.honest, softmax.reference, static_cast<std::int64_t>(columns),
                      element),
                0.7);
    }
  }
}

TEST(ProblemBoundTest, ZerosALostRowALostColumnAndALostScaleFail) {
  for (const Element element : kReals) {
    const Softmax softmax(8, 1000, element);
    const auto wrong = [&](auto change) {
      Rows output = softmax.honest;
      for (std::size_t i = 0; i < output.size(); ++i) output[i] = change(i, output[i]);
      return Worst(output, softmax.reference, 1000, element);
    };
    EXPECT_GT(wrong([](std::size_t, float) { return 0.0f; }), 10);
    EXPECT_GT(wrong([](std::size_t i, float v) { return i / 1000 == 7 ? 0 : v; }), 10);
    EXPECT_GT(wrong([](std::size_t i, float v) { return i % 1000 == 999 ? 0 : v; }), 3);
    EXPECT_GT(wrong([&](std::size_t, float v) { return Rounded(v * 1.03f, element); }), 1.5);
  }
}

/// Sums of 4096 products added up one after the other in the storage type: a gross error.
TEST(ProblemBoundTest, ANarrowAccumulatorFails) {
  for (const Element element : {Element::kF16, Element::kBf16}) {
    std::mt19937 generator(9);
    std::normal_distribution<float> normal;
    Rows reference;
    Rows output;
    for (int i = 0; i < 128; ++i) {
      double sum = 0;
      float narrow = 0;
      for (int k = 0; k < 4096; ++k) {
        const float product = normal(generator) * normal(generator);
        sum += static_cast<double>(product);
        narrow = Rounded(narrow + product, element);
      }
      reference.push_back(static_cast<float>(sum));
      output.push_back(narrow);
    }
    EXPECT_GT(Worst(output, reference, 128, element), 2);
  }
}

TEST(ProblemBoundTest, OnlyZerosPassWhereTheReferenceIsZero) {
  const Rows zeros(256, 0.0f);
  EXPECT_EQ(Worst(zeros, zeros, 64, Element::kF16), 0);
  Rows output = zeros;
  output[200] = 0x1p-24f;
  EXPECT_GT(Worst(output, zeros, 64, Element::kF16), 1);
}

TEST(RowScalesTest, AreTheRowsOwnWithAFloor) {
  Rows values(4 * 64, 0.0f);
  for (std::size_t i = 0; i < 64; ++i) values[i] = 8;         // row 0
  for (std::size_t i = 64; i < 128; ++i) values[i] = 1;       // row 1; rows 2 and 3 are zero
  const double rms = std::sqrt((64 * 64.0 + 64) / 256);
  const auto floor = static_cast<float>(rms / 8);
  EXPECT_EQ(RowScales(values.data(), 256, 64), (Rows{8, 1, floor, floor}));
  const Rows whole = RowScales(values.data(), 256, 256);
  ASSERT_EQ(whole.size(), 1u);
  EXPECT_FLOAT_EQ(whole[0], static_cast<float>(rms));
  EXPECT_TRUE(RowScales(values.data(), 0, 1).empty());
}

TEST(RowScalesTest, ShortRowsShareTheTensorsScale) {
  const auto columns = [](std::vector<std::int64_t> shape) {
    return ScaleColumns({"y", "fp16", std::move(shape)});
  };
  EXPECT_EQ(columns({10, 64}), 64);
  EXPECT_EQ(columns({10, 63}), 630);
  EXPECT_EQ(columns({}), 1);
  EXPECT_EQ(columns({0}), 1);
}

TEST(ElementTest, TheModelsNamesAreKnown) {
  for (const std::string& name : TorchElements()) {
    const auto triton = croq::ElementOf(name);
    ASSERT_TRUE(triton) << name;
    const auto element = ElementNamed(*triton);
    ASSERT_TRUE(element) << *triton;
    EXPECT_EQ(SizeOf(*element), *ElementBytes(*triton)) << *triton;
    EXPECT_EQ(IsReal(*element), IsFloatElement(*triton)) << *triton;
    EXPECT_EQ(RoundingOf(*element).unit_roundoff > 0, IsReal(*element)) << *triton;
  }
  EXPECT_FALSE(ElementNamed("fp12"));
}

}  // namespace
}  // namespace croq::runner
