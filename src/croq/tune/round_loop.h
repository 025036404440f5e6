#pragma once

#include <optional>
#include <string>

#include "croq/tune/finalists.h"
#include "croq/tune/idea_rounds.h"
#include "croq/tune/iteration_writer.h"
#include "croq/tune/pipeline.h"
#include "croq/tune/round_plan.h"
#include "croq/tune/screening.h"
#include "croq/tune/session.h"

namespace croq::tune {

/// One run of a session: rounds of screening, finalists, iteration and decision until the budget is
/// spent, the space is exhausted or the person interrupts. Everything it learns is in the journal
/// before the next step begins.
class RoundLoop {
 public:
  RoundLoop(Session& session, const std::filesystem::path& work);

  /// Proposes ahead, so that compiles run while the baseline is measured.
  Status Warm(const Budget& budget) {
    if (!ideas_ || budget.rounds <= 1) return screening_.FillAhead();
    // The rounds after the first have no use for more than it screens.
    return screening_.FillAhead(RoundPlan(budget, 0, 0).Next(0, 1).trials);
  }
  /// What closing a round will take, where more is known than the guess; from the first round on it
  /// is measured.
  void ExpectClosing(double seconds) { closing_seconds_ = seconds; }
  /// Takes up what an earlier run left: the best kernel, its runners-up, an open iteration.
  Status Restore();
  /// Reports the best kernel's time in this run's environment (event `note`).
  Status TimeBestAgain();
  /// `used_*`: spent by an interrupted run with the same budget.
  Result<RunSummary> Run(const Budget& budget, std::int64_t used_trials, double used_seconds);
  Screening& screening() { return screening_; }

 private:
  /// Builds one configuration now, apart from the search. Nothing where it does not build.
  Result<std::optional<Candidate>> BuildNow(const std::string& config_text);
  /// One round: what it wrote, or nothing.
  Result<std::optional<Iteration>> WideRound(int round, const ScreenLimits& limits);
  Result<std::optional<Iteration>> IdeaRound(PlannedIdea& plan, const ScreenLimits& limits);
  /// Settles the finalists and writes the winner. Nothing where no finalist holds up.
  Result<std::optional<Iteration>> CloseRound(int round);
  /// Runs the next round: after the first one an idea's, where one is left to try.
  Status RunRound(int round, RoundPlan& plan);
  /// What a rule or the space ends the run with, or null.
  const char* EndedByRule();
  Status RestoreBest();
  Status RestoreOpenIteration();
  Status RestoreBoard();
  Result<int> LastRound() const;
  Result<std::optional<Iteration>> WriteWinner(const Candidate& winner, const Origin& origin);
  double SecondsLeft() const;
  void Announce(int round, const ScreenLimits& limits);

  Session& session_;
  Pipeline pipeline_;
  Screening screening_;
  IterationWriter writer_;
  std::optional<IdeaRounds> ideas_;  ///< nothing: every round screens widely
  std::optional<Candidate> best_;
  double best_ms_ = 0;             ///< cold, as its duel gave it; 0: not known
  double closing_seconds_ = 0;
  bool widely_ = true;             ///< the next round screens widely
  bool out_of_ideas_ = false;
  SteadyTime start_{};
  double budget_seconds_ = 0;      ///< what this run has of it; 0: no limit
};

}  // namespace croq::tune
