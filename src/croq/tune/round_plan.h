#pragma once

#include <cstdint>

#include "croq/tune/screening.h"
#include "croq/tune/session.h"

namespace croq::tune {

/// Trials of the first round where a number of rounds was asked for: enough for a kernel that is no
/// accident, and what it leaves to be found is for the ideas. (With 32 over all variants, an H200's
/// first kernel of 4096^3 was one that none of eight ideas could better.)
inline constexpr std::int64_t kOpeningTrials = 12;

/// Divides a budget over rounds, so that a run ends within it with its last iteration written.
class RoundPlan {
 public:
  /// `used_*`: what an interrupted run with the same budget had spent already.
  RoundPlan(const Budget& budget, std::int64_t used_trials, double used_seconds);

  /// Rounds that are still to come, at least 1 while Ended() is null.
  int RoundsLeft() const;
  /// Limits of the next round's screening. `closing_seconds`: what finalists, script and duels of
  /// a round take. With `later_seconds` above 0 the rounds after it follow ideas and take that
  /// each, and this one has the rest; otherwise all have the same. Where a number of rounds was
  /// asked for, the first of those is short: what it left to be found is for the ideas.
  ScreenLimits Next(double closing_seconds, double later_seconds = 0) const;
  /// Limits of a round that follows an idea: `trials` at most.
  ScreenLimits NextIdea(double closing_seconds, std::int64_t trials) const;
  /// From now on a round is begun only where at least this much time is left; the number of
  /// rounds then follows from what they take.
  void SetLeastSeconds(double seconds) { least_seconds_ = seconds; }
  /// Call after each round with what it took, wall seconds from its start to its end.
  void Spend(std::int64_t trials, double seconds);
  /// What ended the run ("time", "trials", "rounds"), or null.
  const char* Ended() const;
  /// Of the time budget; below 0 where there is none.
  double SecondsLeft() const;

 private:
  Budget budget_;
  int planned_rounds_ = 1;
  int done_rounds_ = 0;
  std::int64_t trials_ = 0;
  double seconds_ = 0;
  double least_seconds_ = 0;
};

}  // namespace croq::tune
