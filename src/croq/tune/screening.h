#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>

#include "croq/tune/leaderboard.h"
#include "croq/tune/pipeline.h"
#include "croq/tune/session.h"

namespace croq::tune {

/// When one round's screening ends; 0 means no such limit.
struct ScreenLimits {
  std::int64_t trials = 0;
  double seconds = 0;
};

/// Screens candidates as trials: builds run beside measuring, equal launch plans are measured once,
/// every trial is a journal row.
class Screening {
 public:
  Screening(Session& session, Pipeline& pipeline)
      : session_(session), pipeline_(pipeline), board_(kBoardSize, pipeline.cubins()) {}

  /// Runs until a limit, an interrupt, or nothing is left to propose (then Exhausted()).
  Status Run(int round, const ScreenLimits& limits);
  /// Keeps the builder busy while something else is going on: proposes ahead.
  Status FillAhead();
  /// Records a configuration that was rejected before it was compiled. It is no trial; a journal
  /// that can't take it ends the next Run.
  void RecordConstraint(const Config& config, const std::string& reason);

  Leaderboard& board() { return board_; }
  std::int64_t trials() const { return trials_; }
  std::int64_t correct() const { return correct_; }
  double seconds() const { return seconds_; }
  bool Exhausted() const { return exhausted_; }
  void SetSecondsLeft(double seconds) { budget_end_seconds_ = seconds; }
  void SetIncumbent(double ms, std::string config);

 private:
  static constexpr std::size_t kBoardSize = 24;

  struct Measured {
    Outcome outcome = Outcome::kCorrect;
    std::string reason;
    double time_ms = 0;
    double max_abs_err = 0;
    std::string config;
  };

  Status Judge(Built built, int round);
  Status Record(const Built& built, const Measured& measured, const std::string& device_state,
                int round);
  void Report();

  Session& session_;
  Pipeline& pipeline_;
  Leaderboard board_;
  std::unordered_map<std::string, Measured> measured_;  ///< by plan key
  double incumbent_ms_ = 0;
  std::string incumbent_;
  std::int64_t trials_ = 0;
  std::int64_t correct_ = 0;
  std::int64_t round_trials_ = 0;
  double seconds_ = 0;
  double budget_end_seconds_ = -1;
  SteadyTime round_start_{};
  int round_ = 0;
  bool exhausted_ = false;
  Status deferred_;
};

}  // namespace croq::tune
