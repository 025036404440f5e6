#include "croq_runner/draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "support/drawn.h"

namespace croq::runner {
namespace {

using ::croq::testing::DrawnValues;

DrawParams Params(Draw draw, double first, double second, std::uint64_t count = 20'000) {
  DrawParams p{};
  p.count = count;
  p.seed = 0x0123456789ABCDEFull;
  p.draw = draw;
  p.first = first;
  p.second = second;
  p.stream = 3;
  return p;
}

double Mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double Deviation(const std::vector<double>& values) {
  const double mean = Mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

TEST(Draw, NormalHasItsMeanAndDeviation) {
  const std::vector<double> values = DrawnValues(Params(Draw::kNormal, -2, 0.5));
  EXPECT_NEAR(Mean(values), -2, 0.02);
  EXPECT_NEAR(Deviation(values), 0.5, 0.01);
  // A normal variable is within one deviation in 68.3% of all cases, a uniform one in 57.7%.
  const auto near = std::count_if(values.begin(), values.end(),
                                  [](double value) { return std::fabs(value + 2) < 0.5; });
  EXPECT_NEAR(static_cast<double>(near) / 20'000, 0.68, 0.03);
}

TEST(Draw, UniformFillsItsRange) {
  const std::vector<double> values = DrawnValues(Params(Draw::kUniform, 1, 5));
  EXPECT_GE(*std::min_element(values.begin(), values.end()), 1);
  EXPECT_LT(*std::max_element(values.begin(), values.end()), 5);
  EXPECT_NEAR(Mean(values), 3, 0.05);
  EXPECT_NEAR(Deviation(values), 4 / std::sqrt(12.0), 0.03);
}

TEST(Draw, IntegersReachBothEndsEquallyOften) {
  std::vector<int> counts(5);
  for (const double value : DrawnValues(Params(Draw::kInteger, -2, 2))) {
    ASSERT_EQ(value, std::floor(value));
    ++counts.at(static_cast<std::size_t>(value + 2));
  }
  for (const int count : counts) EXPECT_NEAR(count, 4000, 300);
}

TEST(Draw, ConstantAndArangeNeedNoLuck) {
  EXPECT_EQ(DrawnValues(Params(Draw::kConstant, 0.1, 9, 3)), std::vector<double>(3, 0.1));
  EXPECT_EQ(DrawnValues(Params(Draw::kArange, 5, -0.5, 4)), (std::vector<double>{5, 4.5, 4, 3.5}));
}

TEST(Draw, EveryStreamAndElementIsItsOwn) {
  DrawParams p = Params(Draw::kUniform, 0, 1, 1000);
  std::vector<double> all = DrawnValues(p);
  ++p.stream;
  const std::vector<double> other = DrawnValues(p);
  all.insert(all.end(), other.begin(), other.end());
  EXPECT_EQ(std::set<double>(all.begin(), all.end()).size(), 2000u);
}

TEST(WholeNumber, RoundsByTheDrawAndStaysInItsType) {
  EXPECT_EQ(WholeNumber(7.9, Draw::kUniform, Element::kI32), 7);
  EXPECT_EQ(WholeNumber(-0.1, Draw::kUniform, Element::kI32), -1);
  EXPECT_EQ(WholeNumber(7.9, Draw::kNormal, Element::kI32), 8);
  EXPECT_EQ(WholeNumber(-1.6, Draw::kNormal, Element::kI32), -2);
  EXPECT_EQ(WholeNumber(300, Draw::kConstant, Element::kI8), 127);
  EXPECT_EQ(WholeNumber(-3, Draw::kConstant, Element::kU8), 0);
  EXPECT_EQ(WholeNumber(1e30, Draw::kConstant, Element::kI64),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(WholeNumber(-1e30, Draw::kConstant, Element::kI64),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(WholeNumber(3e9, Draw::kConstant, Element::kI32), 2147483647);
}

/// Every value of the two formats comes back, and what lies between two goes to the nearer one, to
/// the even one in the middle.
TEST(Float8, NearestOfAllValues) {
  for (const Element element : {Element::kF8E4, Element::kF8E5}) {
    const unsigned largest = element == Element::kF8E4 ? 0x7E : 0x7B;
    for (unsigned bits = 0; bits < largest; ++bits) {
      const double low = Float8Value(bits, element);
      const double high = Float8Value(bits + 1, element);
      ASSERT_LT(low, high);
      EXPECT_EQ(Float8Bits(low, element), bits);
      EXPECT_EQ(Float8Bits(-high, element), 0x80 | (bits + 1));
      EXPECT_EQ(Float8Bits(low + 0.49 * (high - low), element), bits);
      EXPECT_EQ(Float8Bits(low + 0.51 * (high - low), element), bits + 1);
      EXPECT_EQ(Float8Bits((low + high) / 2, element), bits % 2 == 0 ? bits : bits + 1);
    }
    EXPECT_EQ(Float8Bits(1e9, element), largest);
    EXPECT_TRUE(std::isnan(Float8Value(0xFF, element)));  // the poison
  }
  EXPECT_EQ(Float8Value(0x7E, Element::kF8E4), 448);
  EXPECT_EQ(Float8Value(0x7B, Element::kF8E5), 57344);
  EXPECT_EQ(Float8Value(0x7C, Element::kF8E5), std::numeric_limits<double>::infinity());
  EXPECT_EQ(Float8Value(0x01, Element::kF8E4), 0x1p-9);
  EXPECT_EQ(Float8Value(0x38, Element::kF8E4), 1);
  EXPECT_EQ(Float8Value(0xBC, Element::kF8E5), -1);
}

}  // namespace
}  // namespace croq::runner
