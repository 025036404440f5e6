#include "croq/measure/statistics.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <vector>

namespace croq::measure {
namespace {

using Values = std::vector<double>;

TEST(Statistics, GivesZeroForNothing) {
  EXPECT_EQ(Mean(Values{}), 0);
  EXPECT_EQ(Median(Values{}), 0);
  EXPECT_EQ(Quantile(Values{}, 0.3), 0);
  EXPECT_EQ(RobustSpread(Values{}), 0);
  EXPECT_EQ(RelativeSpread(Values{}), 0);
}

TEST(Statistics, MedianOfOddAndEvenCounts) {
  EXPECT_DOUBLE_EQ(Median(Values{5, 1, 3}), 3);
  EXPECT_DOUBLE_EQ(Median(Values{4, 1, 3, 2}), 2.5);
  EXPECT_DOUBLE_EQ(Median(Values{7}), 7);
}

TEST(Statistics, QuantileAgreesWithNumpy) {
  const Values values{9, 1, 4, 16, 25};
  // numpy.quantile([9, 1, 4, 16, 25], [0, .05, .25, .9, 1])
  EXPECT_DOUBLE_EQ(Quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(Quantile(values, 0.05), 1.6);
  EXPECT_DOUBLE_EQ(Quantile(values, 0.25), 4);
  EXPECT_DOUBLE_EQ(Quantile(values, 0.9), 21.4);
  EXPECT_DOUBLE_EQ(Quantile(values, 1), 25);
  EXPECT_DOUBLE_EQ(Quantile(values, 2), 25);
}

TEST(Statistics, RobustSpreadIgnoresAnOutlier) {
  EXPECT_NEAR(RobustSpread(Values{1, 2, 3, 4, 5}), 1.4826, 1e-12);
  EXPECT_NEAR(RobustSpread(Values{1, 2, 3, 4, 5000}), 1.4826, 1e-12);
  EXPECT_NEAR(RelativeSpread(Values{1, 2, 3, 4, 5000}), 1.4826 / 3, 1e-12);
}

TEST(StatisticsProperty, QuantilesLieWithinAndRise) {
  EXPECT_TRUE(rc::check([] {
    const auto whole = *rc::gen::nonEmpty<std::vector<int>>();
    const Values values(whole.begin(), whole.end());
    const auto percent = *rc::gen::inRange(0, 100);
    const double low = Quantile(values, percent / 100.0);
    RC_ASSERT(low >= *std::min_element(values.begin(), values.end()));
    RC_ASSERT(low <= Quantile(values, (percent + 1) / 100.0));
    RC_ASSERT(Quantile(values, 1) == *std::max_element(values.begin(), values.end()));
  }));
}

}  // namespace
}  // namespace croq::measure
