#include "croq/backend/adaptive_deadline.h"

#include <gtest/gtest.h>

namespace croq::backend {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

AdaptiveDeadline Make() {
  return {seconds(10), seconds(60)};
}

TEST(AdaptiveDeadlineTest, IsTheLongestUntilEnoughIsKnown) {
  AdaptiveDeadline deadline = Make();
  for (std::size_t i = 0; i + 1 < AdaptiveDeadline::kEnough; ++i) deadline.Observe(milliseconds(1));
  EXPECT_EQ(deadline.Current(), seconds(60));
  deadline.Observe(milliseconds(1));
  EXPECT_EQ(deadline.Current(), seconds(10));
}

TEST(AdaptiveDeadlineTest, IsFourTimesTheNinetyFifthPercentile) {
  AdaptiveDeadline deadline = Make();
  for (int i = 1; i <= 100; ++i) deadline.Observe(milliseconds(i * 50));
  EXPECT_EQ(deadline.Current(), milliseconds(4 * 95 * 50));
}

TEST(AdaptiveDeadlineTest, NeverExceedsTheLongest) {
  AdaptiveDeadline deadline = Make();
  for (int i = 0; i < 20; ++i) deadline.Observe(seconds(50));
  EXPECT_EQ(deadline.Current(), seconds(60));
}

TEST(AdaptiveDeadlineTest, ForgetsTheOldest) {
  AdaptiveDeadline deadline = Make();
  for (std::size_t i = 0; i < AdaptiveDeadline::kRemembered; ++i) deadline.Observe(seconds(14));
  EXPECT_EQ(deadline.Current(), seconds(56));
  for (std::size_t i = 0; i < AdaptiveDeadline::kRemembered; ++i) deadline.Observe(seconds(5));
  EXPECT_EQ(deadline.Current(), seconds(20));
}

}  // namespace
}  // namespace croq::backend
