#include "croq_runner/scale_draw.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace croq::runner {
namespace {

double RootMeanSquare(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

TEST(DrawScales, GivesScaledElementsTheDeviationAskedFor) {
  EXPECT_NEAR(RootMeanSquare(DrawScales({1, 128, 512, 64}, 0.05, 3, 4)) / 0.05, 1, 0.02);
}

TEST(DrawScales, SpreadsThoseOfBlocksSoThatNoneStandsForItsNeighbour) {
  const std::vector<float> scales = DrawScales({1, 128, 512, 64}, 0.05, 3, 4);
  const auto [least, most] = std::minmax_element(scales.begin(), scales.end());
  EXPECT_GT(*most / *least, 64);
}

TEST(DrawScales, OfATensorDiffersFromSetToSet) {
  const std::vector<float> one = DrawScales({8, 8, 1, 1}, 0.05, 3, 4);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_NEAR(static_cast<double>(one[0]) / 0.05, 1, 0.26);
  EXPECT_NE(one[0], DrawScales({8, 8, 1, 1}, 0.05, 3, 6)[0]);
  EXPECT_EQ(one, DrawScales({8, 8, 1, 1}, 0.05, 3, 4));
}

TEST(DrawScales, TimesAnFp8ValueIsExactInFloat32) {
  for (const float scale : DrawScales({1, 128, 64, 64}, 0.0371, 3, 4)) {
    for (const double value : {0.001953125, 0.8125, 208.0, 448.0}) {
      const double exact = static_cast<double>(scale) * value;
      ASSERT_EQ(static_cast<double>(static_cast<float>(exact)), exact);
    }
  }
}

}  // namespace
}  // namespace croq::runner
