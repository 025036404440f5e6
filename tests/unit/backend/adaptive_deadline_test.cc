#include "croq/backend/adaptive_deadline.h"

#include <gtest/gtest.h>

namespace croq::backend {
namespace {

using Milliseconds = std::chrono::milliseconds;
using Seconds = std::chrono::seconds;

AdaptiveDeadline Make() {
  return {Seconds(10), Seconds(60)};
}

TEST(AdaptiveDeadlineTest, IsTheLongestUntilEnoughIsKnown) {
  AdaptiveDeadline deadline = Make();
  for (std::size_t i = 0; i + 1 < AdaptiveDeadline::kEnough; ++i) deadline.Observe(Milliseconds(1));
  EXPECT_EQ(deadline.Current(), Seconds(60));
  deadline.Observe(Milliseconds(1));
  EXPECT_EQ(deadline.Current(), Seconds(10));
}

TEST(AdaptiveDeadlineTest, IsFourTimesTheNinetyFifthPercentile) {
  AdaptiveDeadline deadline = Make();
  for (int i = 1; i <= 100; ++i) deadline.Observe(Milliseconds(i * 50));
  EXPECT_EQ(deadline.Current(), Milliseconds(4 * 95 * 50));
}

TEST(AdaptiveDeadlineTest, NeverExceedsTheLongest) {
  AdaptiveDeadline deadline = Make();
  for (int i = 0; i < 20; ++i) deadline.Observe(Seconds(50));
  EXPECT_EQ(deadline.Current(), Seconds(60));
}

TEST(AdaptiveDeadlineTest, ForgetsTheOldest) {
  AdaptiveDeadline deadline = Make();
  for (std::size_t i = 0; i < AdaptiveDeadline::kRemembered; ++i) deadline.Observe(Seconds(14));
  EXPECT_EQ(deadline.Current(), Seconds(56));
  for (std::size_t i = 0; i < AdaptiveDeadline::kRemembered; ++i) deadline.Observe(Seconds(5));
  EXPECT_EQ(deadline.Current(), Seconds(20));
}

}  // namespace
}  // namespace croq::backend
