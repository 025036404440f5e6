#include "croq/search/budget.h"

#include <gtest/gtest.h>

namespace croq::search {
namespace {

TEST(Budget, WithoutLimitsNothingStops) {
  EXPECT_EQ(ReachedLimit({}, {1'000'000, 1e9, 1'000, 1'000'000}), StopReason::kNone);
}

TEST(Budget, EachLimitStopsAtItsValueAndNotBefore) {
  EXPECT_EQ(ReachedLimit({.trials = 10}, {.trials = 9}), StopReason::kNone);
  EXPECT_EQ(ReachedLimit({.trials = 10}, {.trials = 10}), StopReason::kTrials);
  EXPECT_EQ(ReachedLimit({.seconds = 1.5}, {.seconds = 1.4}), StopReason::kNone);
  EXPECT_EQ(ReachedLimit({.seconds = 1.5}, {.seconds = 1.5}), StopReason::kTime);
  EXPECT_EQ(ReachedLimit({.rounds = 2}, {.rounds = 1}), StopReason::kNone);
  EXPECT_EQ(ReachedLimit({.rounds = 2}, {.rounds = 2}), StopReason::kRounds);
  EXPECT_EQ(ReachedLimit({.trials_without_gain = 5}, {.trials_since_gain = 5}),
            StopReason::kNoGain);
}

TEST(Budget, TimeIsNamedBeforeTrials) {
  EXPECT_EQ(ReachedLimit({.trials = 1, .seconds = 1}, {.trials = 1, .seconds = 1}),
            StopReason::kTime);
  EXPECT_EQ(NameOf(StopReason::kTime), "time");
  EXPECT_EQ(NameOf(StopReason::kNoGain), "no gain");
  EXPECT_EQ(NameOf(StopReason::kNone), "");
}

TEST(GainTracker, CountsTrialsSinceTheLastRealGain) {
  GainTracker tracker(0.01);
  tracker.Add(2.0);
  EXPECT_EQ(tracker.trials_since_gain(), 0);
  tracker.Add(1.99);  // within the noise
  tracker.Add(0);     // failed
  tracker.Add(3.0);
  EXPECT_EQ(tracker.trials_since_gain(), 3);
  EXPECT_DOUBLE_EQ(tracker.best_ms(), 1.99);
  tracker.Add(1.5);
  EXPECT_EQ(tracker.trials_since_gain(), 0);
}

TEST(GainTracker, SmallStepsAddUpToAGain) {
  GainTracker tracker(0.01);
  tracker.Add(1.000);
  tracker.Add(0.996);
  tracker.Add(0.992);
  EXPECT_EQ(tracker.trials_since_gain(), 2);
  tracker.Add(0.988);
  EXPECT_EQ(tracker.trials_since_gain(), 0);
}

}  // namespace
}  // namespace croq::search
