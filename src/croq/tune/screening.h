#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <unordered_set>

#include "croq/base/recent.h"
#include "croq/search/budget.h"
#include "croq/tune/leaderboard.h"
#include "croq/tune/pipeline.h"
#include "croq/tune/screen_account.h"
#include "croq/tune/session.h"

namespace croq::tune {

/// When one round's screening ends; 0 means no such limit.
struct ScreenLimits {
  std::int64_t trials = 0;
  double seconds = 0;
  std::function<bool()> reached = {};  ///< another clock's; asked before each trial; may be empty
};

/// Screens candidates as trials: builds run beside measuring, equal launch plans are measured once,
/// every trial is a journal row.
class Screening {
 public:
  Screening(Session& session, Pipeline& pipeline)
      : session_(session), pipeline_(pipeline), board_(kBoardSize, pipeline.cubins()),
        idea_board_(kBoardSize, pipeline.cubins()) {}

  /// Runs until a limit, an interrupt, or nothing is left to propose (then Exhausted()).
  Status Run(int round, const ScreenLimits& limits) {
    return RunWith(session_.strategy, round, limits);
  }
  /// The configurations of an idea alone, onto a board of their own. What the wide search has in
  /// flight is judged first, as trials of the round before. `scope`: what the idea may write, tried
  /// before or not.
  Status RunIdea(search::Strategy& idea, const std::set<std::string>& scope, int round,
                 const ScreenLimits& limits);
  /// Puts what is left of the idea's board among the others.
  void EndIdea() { idea_board_.MoveTo(board_, nullptr); }
  /// Keeps the builder busy while something else is going on: proposes ahead.
  Status FillAhead(std::int64_t most = std::numeric_limits<std::int64_t>::max());
  /// Records a configuration that was rejected before it was compiled. It is no trial; a journal
  /// that can't take it ends the next Run.
  void RecordConstraint(const Config& config, const std::string& reason);

  Leaderboard& board() { return board_; }
  Leaderboard& idea_board() { return idea_board_; }
  /// It is not to be tried again: an earlier run did.
  void MarkTried(const std::string& config) { tried_.insert(HashOn(kHashStart, config)); }
  bool Tried(const std::string& config) const {
    return tried_.contains(HashOn(kHashStart, config));
  }
  /// The highest SM clock that a trial was timed at; 0: not known.
  int sm_clock_mhz() const { return sm_clock_mhz_; }
  std::int64_t trials() const { return trials_; }
  std::int64_t correct() const { return correct_; }
  double seconds() const { return account_.wall; }
  const ScreenAccount& account() const { return account_; }
  bool Exhausted() const { return exhausted_; }
  /// Screening ends once so many trials have brought nothing; 0: never.
  void SetPatience(std::int64_t trials) { patience_ = trials; }
  bool WithoutGain() const { return patience_ > 0 && gain_.trials_since_gain() >= patience_; }
  void SetSecondsLeft(double seconds) { budget_end_seconds_ = seconds; }
  void SetIncumbent(double ms, std::string config);

 private:
  static constexpr std::size_t kBoardSize = 24;
  /// Equal plans come of neighbouring configurations, which are tried close together.
  static constexpr std::size_t kRememberedPlans = 1024;

  struct Measured {
    Outcome outcome = Outcome::kCorrect;
    std::string reason;
    double time_ms = 0;
    double max_abs_err = 0;
    std::string config;
  };

  Status RunWith(search::Strategy& strategy, int round, const ScreenLimits& limits);
  Result<std::optional<Built>> Await();
  Status Judge(Built built, int round);
  Result<Evaluation> Evaluate(const Candidate& candidate);
  Status Record(const Built& built, const Measured& measured, const std::string& device_state,
                int round);
  void Report();

  Session& session_;
  Pipeline& pipeline_;
  Leaderboard board_;
  Leaderboard idea_board_;
  search::Strategy* idea_ = nullptr;  ///< while an idea is screened
  std::unordered_set<std::uint64_t> tried_;  ///< hashes of their texts: a long session has many
  int sm_clock_mhz_ = 0;
  Recent<Measured> measured_{kRememberedPlans};  ///< by plan key
  double incumbent_ms_ = 0;
  std::string incumbent_;
  std::int64_t trials_ = 0;
  std::int64_t correct_ = 0;
  std::int64_t round_trials_ = 0;
  ScreenAccount account_;
  search::GainTracker gain_;
  std::int64_t patience_ = 0;
  double budget_end_seconds_ = -1;
  SteadyTime round_start_{};
  int round_ = 0;
  bool exhausted_ = false;
  Status deferred_;
};

}  // namespace croq::tune
