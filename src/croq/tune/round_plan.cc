#include "croq/tune/round_plan.h"

#include <algorithm>
#include <cmath>

namespace croq::tune {
namespace {

// A round's closing (scripts, duels) takes about 15 s on a GPU machine: shorter rounds would spend
// more on closing than on searching.
constexpr double kSecondsPerRound = 30;
constexpr std::int64_t kTrialsPerRound = 300;
constexpr double kLeastScreeningSeconds = 3;

/// Of what is left of the budget.
int PlanRounds(const Budget& budget, std::int64_t used_trials, double used_seconds) {
  if (budget.rounds > 0) return budget.rounds;
  if (budget.seconds > 0) {
    const double seconds = budget.seconds - used_seconds;
    return std::max(1, static_cast<int>(std::lround(seconds / kSecondsPerRound)));
  }
  const std::int64_t trials = budget.trials - used_trials;
  return std::max<int>(1, static_cast<int>((trials + kTrialsPerRound - 1) / kTrialsPerRound));
}

}  // namespace

RoundPlan::RoundPlan(const Budget& budget, std::int64_t used_trials, double used_seconds)
    : budget_(budget), planned_rounds_(PlanRounds(budget, used_trials, used_seconds)),
      trials_(used_trials), seconds_(used_seconds) {}

int RoundPlan::RoundsLeft() const { return std::max(1, planned_rounds_ - done_rounds_); }

ScreenLimits RoundPlan::Next(double closing_seconds, double later_seconds) const {
  ScreenLimits limits;
  const int rounds = RoundsLeft();
  if (budget_.seconds > 0) {
    const double left = budget_.seconds - seconds_;
    const double own = later_seconds > 0 ? left - (rounds - 1) * later_seconds : left / rounds;
    limits.seconds = std::max(kLeastScreeningSeconds, own - closing_seconds);
  }
  if (budget_.trials > 0) {
    limits.trials = std::max<std::int64_t>(1, (budget_.trials - trials_ + rounds - 1) / rounds);
  }
  if (budget_.seconds <= 0 && budget_.trials <= 0) limits.trials = kTrialsPerRound;
  const bool opening = later_seconds > 0 && budget_.rounds > 1 && done_rounds_ == 0;
  if (opening && (limits.trials == 0 || limits.trials > kOpeningTrials))
    limits.trials = kOpeningTrials;
  return limits;
}

ScreenLimits RoundPlan::NextIdea(double closing_seconds, std::int64_t trials) const {
  ScreenLimits limits;
  limits.trials = trials;
  // Rounds that were asked for share what is left; otherwise there are as many as there is time for.
  const int rounds = budget_.rounds > 0 ? RoundsLeft() : 1;
  if (budget_.trials > 0) {
    const std::int64_t share = (budget_.trials - trials_ + rounds - 1) / rounds;
    limits.trials = std::min(trials, std::max<std::int64_t>(1, share));
  }
  if (budget_.seconds > 0) {
    const double share = (budget_.seconds - seconds_) / rounds;
    limits.seconds = std::max(kLeastScreeningSeconds, share - closing_seconds);
  }
  return limits;
}

void RoundPlan::Spend(std::int64_t trials, double seconds) {
  ++done_rounds_;
  trials_ += trials;
  seconds_ += seconds;
}

const char* RoundPlan::Ended() const {
  if (budget_.trials > 0 && trials_ >= budget_.trials) return "trials";
  // However short the time, a run has one round.
  const double least = std::max(kLeastScreeningSeconds, least_seconds_);
  const double needed = done_rounds_ > 0 ? least : 0;
  if (budget_.seconds > 0 && seconds_ + needed >= budget_.seconds) return "time";
  if (budget_.rounds > 0 && done_rounds_ >= budget_.rounds) return "rounds";
  const bool by_count = budget_.rounds <= 0 && budget_.seconds > 0 && least_seconds_ <= 0;
  if (by_count && done_rounds_ >= planned_rounds_) return "time";
  return nullptr;
}

double RoundPlan::SecondsLeft() const {
  return budget_.seconds > 0 ? std::max(0.0, budget_.seconds - seconds_) : -1;
}

}  // namespace croq::tune
