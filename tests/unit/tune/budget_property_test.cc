#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "croq/tune/round_plan.h"

namespace croq::tune {
namespace {

/// A budget with at least one limit.
Budget AnyBudget() {
  Budget budget;
  const int which = *rc::gen::inRange(1, 8);
  if ((which & 1) != 0)
    budget.rounds = *rc::gen::inRange(1, 50);
  if ((which & 2) != 0)
    budget.trials = *rc::gen::inRange<std::int64_t>(1, 20'000);
  if ((which & 4) != 0)
    budget.seconds = *rc::gen::oneOf(rc::gen::inRange(1, 60), rc::gen::inRange(60, 72'000)) / 10.0;
  return budget;
}

double AnyClosing() {
  return *rc::gen::inRange(1, 400) / 10.0;
}

TEST(RoundPlanProperty, AFreshBudgetHasARoundAndEveryRoundHasALimit) {
  EXPECT_TRUE(rc::check("round plan", [] {
    const Budget budget = AnyBudget();
    RoundPlan plan(budget, 0, 0);
    RC_ASSERT(plan.Ended() == nullptr);
    // A round takes at least a trial or a second; no run has more than this many.
    for (int round = 1; plan.Ended() == nullptr; ++round) {
      RC_ASSERT(round <= 30'000);
      RC_ASSERT(plan.RoundsLeft() >= 1);
      const ScreenLimits limits = plan.Next(AnyClosing());
      RC_ASSERT(limits.trials > 0 || limits.seconds > 0);
      if (budget.trials > 0)
        RC_ASSERT(limits.trials > 0);
      if (budget.seconds > 0)
        RC_ASSERT(limits.seconds > 0);
      plan.Spend(limits.trials > 0 ? limits.trials : 100, limits.seconds + 1);
    }
  }));
}

TEST(RoundPlanProperty, TrialsAreNeverOverspent) {
  EXPECT_TRUE(rc::check("trials", [] {
    Budget budget = AnyBudget();
    budget.trials = *rc::gen::inRange<std::int64_t>(1, 20'000);
    std::int64_t spent = *rc::gen::inRange<std::int64_t>(0, budget.trials);
    RoundPlan plan(budget, spent, 0);
    while (plan.Ended() == nullptr) {
      const std::int64_t trials = plan.Next(AnyClosing()).trials;
      spent += trials;
      RC_ASSERT(spent <= budget.trials);
      plan.Spend(trials, 1);
    }
  }));
}

TEST(RoundPlanProperty, ARoundThatKeepsToItsLimitsKeepsToTheTime) {
  EXPECT_TRUE(rc::check("time", [] {
    Budget budget;
    budget.seconds = *rc::gen::inRange(60, 7200);
    double spent = *rc::gen::inRange(0, 30);
    RoundPlan plan(budget, 0, spent);
    const double closing = AnyClosing();
    while (plan.Ended() == nullptr) {
      const double seconds = plan.Next(closing).seconds + closing;
      spent += seconds;
      plan.Spend(100, seconds);
    }
    // The last round may have only the least that screening gets.
    RC_ASSERT(spent <= budget.seconds + 3 + closing);
  }));
}

}  // namespace
}  // namespace croq::tune
