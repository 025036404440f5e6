#include "croq/tune/round_plan.h"

#include <gtest/gtest.h>

namespace croq::tune {
namespace {

constexpr double kClosing = 10;

Budget Of(int rounds, std::int64_t trials, double seconds) {
  return {rounds, trials, seconds};
}

TEST(RoundPlan, ATimeBudgetIsDividedIntoRoundsOfHalfAMinute) {
  RoundPlan plan(Of(0, 0, 60), 0, 0);
  EXPECT_EQ(plan.RoundsLeft(), 2);
  const ScreenLimits limits = plan.Next(kClosing);
  EXPECT_DOUBLE_EQ(limits.seconds, 20);
  EXPECT_EQ(limits.trials, 0);
  EXPECT_DOUBLE_EQ(plan.SecondsLeft(), 60);
}

TEST(RoundPlan, WhatARoundTookIsTakenFromTheRest) {
  RoundPlan plan(Of(0, 0, 60), 0, 0);
  plan.Spend(500, 40);
  EXPECT_EQ(plan.RoundsLeft(), 1);
  EXPECT_DOUBLE_EQ(plan.Next(kClosing).seconds, 10);
  EXPECT_DOUBLE_EQ(plan.SecondsLeft(), 20);
  EXPECT_EQ(plan.Ended(), nullptr);
  plan.Spend(200, 20);
  EXPECT_STREQ(plan.Ended(), "time");
  EXPECT_DOUBLE_EQ(plan.SecondsLeft(), 0);
}

TEST(RoundPlan, ARoundThatWouldNotFitIsNotBegun) {
  RoundPlan plan(Of(0, 0, 60), 0, 0);
  plan.Spend(500, 58);
  EXPECT_STREQ(plan.Ended(), "time");
}

TEST(RoundPlan, ATimeBudgetShorterThanARoundStillGetsOne) {
  const RoundPlan plan(Of(0, 0, 1), 0, 0);
  EXPECT_EQ(plan.Ended(), nullptr);
  EXPECT_EQ(plan.RoundsLeft(), 1);
  EXPECT_GT(plan.Next(kClosing).seconds, 0);
}

TEST(RoundPlan, ClosingLongerThanTheRoundLeavesAFewSecondsToScreen) {
  const RoundPlan plan(Of(0, 0, 10), 0, 0);
  EXPECT_DOUBLE_EQ(plan.Next(100).seconds, 3);
}

TEST(RoundPlan, TrialsAreDividedEvenly) {
  RoundPlan plan(Of(0, 1000, 0), 0, 0);
  EXPECT_EQ(plan.RoundsLeft(), 4);
  EXPECT_EQ(plan.Next(kClosing).trials, 250);
  EXPECT_DOUBLE_EQ(plan.Next(kClosing).seconds, 0);
  EXPECT_LT(plan.SecondsLeft(), 0);
}

TEST(RoundPlan, FewTrialsAreOneRound) {
  RoundPlan plan(Of(0, 5, 0), 0, 0);
  EXPECT_EQ(plan.RoundsLeft(), 1);
  EXPECT_EQ(plan.Next(kClosing).trials, 5);
  plan.Spend(5, 1);
  EXPECT_STREQ(plan.Ended(), "trials");
}

TEST(RoundPlan, TrialsThatWereNotSpentAreTriedInAnotherRound) {
  RoundPlan plan(Of(0, 5, 0), 0, 0);
  plan.Spend(3, 1);
  EXPECT_EQ(plan.Ended(), nullptr);
  EXPECT_EQ(plan.Next(kClosing).trials, 2);
}

TEST(RoundPlan, RoundsAloneHaveTheirOwnLimitOfTrials) {
  RoundPlan plan(Of(2, 0, 0), 0, 0);
  EXPECT_EQ(plan.RoundsLeft(), 2);
  EXPECT_GT(plan.Next(kClosing).trials, 0);
  EXPECT_DOUBLE_EQ(plan.Next(kClosing).seconds, 0);
  plan.Spend(300, 1e6);
  EXPECT_EQ(plan.Ended(), nullptr);
  plan.Spend(300, 1e6);
  EXPECT_STREQ(plan.Ended(), "rounds");
}

TEST(RoundPlan, RoundsDivideTheOtherBudgets) {
  const RoundPlan plan(Of(4, 1000, 100), 0, 0);
  const ScreenLimits limits = plan.Next(kClosing);
  EXPECT_EQ(limits.trials, 250);
  EXPECT_DOUBLE_EQ(limits.seconds, 15);
}

TEST(RoundPlan, TheFirstBudgetThatIsSpentEndsIt) {
  RoundPlan rounds(Of(1, 1000, 1000), 0, 0);
  rounds.Spend(10, 10);
  EXPECT_STREQ(rounds.Ended(), "rounds");
  RoundPlan trials(Of(10, 20, 1000), 0, 0);
  trials.Spend(20, 10);
  EXPECT_STREQ(trials.Ended(), "trials");
  RoundPlan time(Of(10, 1000, 30), 0, 0);
  time.Spend(10, 30);
  EXPECT_STREQ(time.Ended(), "time");
}

TEST(RoundPlan, WhatAnInterruptedRunUsedIsGone) {
  const RoundPlan trials(Of(0, 1000, 0), 900, 0);
  EXPECT_EQ(trials.Ended(), nullptr);
  EXPECT_EQ(trials.RoundsLeft(), 1);
  EXPECT_EQ(trials.Next(kClosing).trials, 100);
  const RoundPlan time(Of(0, 0, 120), 0, 90);
  EXPECT_DOUBLE_EQ(time.SecondsLeft(), 30);
  EXPECT_EQ(time.RoundsLeft(), 1);
  EXPECT_DOUBLE_EQ(time.Next(kClosing).seconds, 20);
}

TEST(RoundPlan, TheFirstRoundHasWhatLaterOnesLeave) {
  const RoundPlan plan(Of(0, 0, 60), 0, 0);
  ASSERT_EQ(plan.RoundsLeft(), 2);
  EXPECT_DOUBLE_EQ(plan.Next(kClosing, 24).seconds, 60 - 24 - kClosing);
}

TEST(RoundPlan, WhereANumberOfRoundsIsAskedForTheFirstIsShort) {
  RoundPlan plan(Of(8, 0, 600), 0, 0);
  EXPECT_EQ(plan.Next(kClosing, 24).trials, kOpeningTrials);
  EXPECT_EQ(RoundPlan(Of(8, 0, 0), 0, 0).Next(kClosing, 24).trials, kOpeningTrials);
  EXPECT_EQ(RoundPlan(Of(8, 80, 0), 0, 0).Next(kClosing, 24).trials, 10) << "its share";
  EXPECT_EQ(RoundPlan(Of(1, 0, 0), 0, 0).Next(kClosing, 24).trials, 300) << "no idea follows it";
  EXPECT_EQ(RoundPlan(Of(0, 0, 600), 0, 0).Next(kClosing, 24).trials, 0);
  EXPECT_EQ(RoundPlan(Of(8, 0, 0), 0, 0).Next(kClosing).trials, 300) << "all rounds screen widely";
  plan.Spend(64, 20);
  EXPECT_EQ(plan.Next(kClosing, 24).trials, 0) << "a later one, where no idea is left";
}

TEST(RoundPlan, AnIdeasRoundHasATrialLimitAndTheTimeThatIsLeft) {
  RoundPlan plan(Of(0, 100, 90), 0, 0);
  EXPECT_EQ(plan.NextIdea(kClosing, 64).trials, 64);
  EXPECT_DOUBLE_EQ(plan.NextIdea(kClosing, 64).seconds, 90 - kClosing);
  plan.Spend(80, 30);
  EXPECT_EQ(plan.NextIdea(kClosing, 64).trials, 20);
  EXPECT_DOUBLE_EQ(RoundPlan(Of(3, 0, 0), 0, 0).NextIdea(kClosing, 64).seconds, 0) << "no limit";
}

TEST(RoundPlan, RoundsThatWereAskedForShareWhatIsLeft) {
  RoundPlan plan(Of(3, 18, 120), 0, 0);
  plan.Spend(6, 30);
  EXPECT_EQ(plan.NextIdea(kClosing, 64).trials, 6);
  EXPECT_DOUBLE_EQ(plan.NextIdea(kClosing, 64).seconds, 45 - kClosing);
  plan.Spend(4, 80);
  EXPECT_EQ(plan.NextIdea(kClosing, 64).trials, 8);
  EXPECT_DOUBLE_EQ(plan.NextIdea(kClosing, 64).seconds, 3);
}

TEST(RoundPlan, ShortRoundsMayBeMoreThanWerePlanned) {
  RoundPlan plan(Of(0, 0, 60), 0, 0);
  plan.SetLeastSeconds(20);
  plan.Spend(10, 15);
  plan.Spend(10, 15);
  EXPECT_EQ(plan.Ended(), nullptr);
  plan.Spend(10, 11);
  EXPECT_STREQ(plan.Ended(), "time");
}

TEST(RoundPlan, ABudgetThatAnInterruptedRunUsedUpIsSpent) {
  EXPECT_STREQ(RoundPlan(Of(0, 100, 0), 100, 0).Ended(), "trials");
  EXPECT_STREQ(RoundPlan(Of(0, 0, 60), 0, 60).Ended(), "time");
}

}  // namespace
}  // namespace croq::tune
