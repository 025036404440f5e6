#include "croq/tune/screening.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "croq/base/scope_timer.h"
#include "croq/tune/plan_key.h"

namespace croq::tune {
namespace {

using std::chrono::milliseconds;

// The builder's own queue plus this many a worker wait while the GPU is taken by a duel or a
// script; then they are measured at once.
constexpr int kAheadFactor = 12;

/// For what is in flight already.
class NothingMore : public search::Strategy {
 public:
  std::string_view Name() const override { return "nothing more"; }
  std::optional<Config> Propose() override { return std::nullopt; }
  void Observe(const Config&, Outcome, double) override {}
};

}  // namespace

void Screening::SetIncumbent(double ms, std::string config) {
  incumbent_ms_ = ms;
  incumbent_ = std::move(config);
}

Status Screening::RunIdea(search::Strategy& idea, const std::set<std::string>& scope, int round,
                          const ScreenLimits& limits) {
  if (pipeline_.InFlight() > 0) {
    NothingMore nothing;
    CROQ_TRY(RunWith(nothing, round - 1, {}));
  }
  board_.MoveTo(idea_board_, &scope);
  idea_ = &idea;
  const Status status = RunWith(idea, round, limits);
  idea_ = nullptr;
  return status;
}

Status Screening::RunWith(search::Strategy& strategy, int round, const ScreenLimits& limits) {
  round_ = round;
  round_trials_ = 0;
  round_start_ = std::chrono::steady_clock::now();
  exhausted_ = false;
  Status status;
  while (status && !session_.interrupted.load()) {
    if (limits.trials > 0 && round_trials_ >= limits.trials) break;
    if (limits.seconds > 0 && SecondsSince(round_start_) >= limits.seconds) break;
    if ((limits.reached && limits.reached()) || WithoutGain()) break;
    std::int64_t in_flight = session_.builder.Capacity();
    // A round that follows an idea goes its own way: it has no use for what was begun beyond this.
    if (session_.ideas != nullptr && limits.trials > 0)
      in_flight = std::min(in_flight, limits.trials - round_trials_);
    {
      const ScopeTimer timer(account_.propose);
      status = pipeline_.Fill(strategy, static_cast<int>(in_flight));
    }
    if (status) status = deferred_;
    if (!status) break;
    if (pipeline_.InFlight() == 0) {
      exhausted_ = true;
      break;
    }
    auto built = Await();
    if (!built) {
      status = tl::unexpected(built.error());
      break;
    }
    if (*built) status = Judge(std::move(**built), round);
    if (status) {
      const ScopeTimer timer(account_.record);
      status = session_.journal.FlushIfDue(std::chrono::steady_clock::now());
    }
    Report();
  }
  account_.wall += SecondsSince(round_start_);
  CROQ_TRY(status);
  return session_.journal.Flush();
}

Result<std::optional<Built>> Screening::Await() {
  const ScopeTimer timer(account_.wait);
  return pipeline_.Next(milliseconds(50));
}

Status Screening::FillAhead(std::int64_t most) {
  const std::int64_t ahead = session_.builder.Capacity() * kAheadFactor;
  return pipeline_.Fill(session_.strategy, static_cast<int>(std::min(ahead, most)));
}

Status Screening::Judge(Built built, int round) {
  Measured measured{built.outcome, built.reason, 0, 0, built.candidate.config.Text()};
  std::string device_state;
  bool fresh = false;
  if (built.outcome == Outcome::kCorrect) {
    const std::string key = PlanKey(built.candidate.plan);
    if (const Measured* known = measured_.Find(key)) {
      measured = *known;
      measured.reason = fmt::format("equal launch plan: measured as {}", known->config);
    } else {
      CROQ_ASSIGN(const Evaluation evaluation, Evaluate(built.candidate));
      measured.outcome = evaluation.outcome;
      measured.reason = evaluation.reason;
      measured.time_ms = evaluation.time_ms;
      measured.max_abs_err = evaluation.max_abs_err;
      device_state = evaluation.device_state;
      sm_clock_mhz_ = std::max(sm_clock_mhz_, evaluation.sm_clock_mhz);
      measured_.Put(key, measured);
      fresh = true;
    }
  }
  const ScopeTimer timer(account_.record);
  account_.compile += built.candidate.build.compile_ms / 1e3;
  ++account_.built;
  session_.strategy.Observe(built.candidate.config, measured.outcome, measured.time_ms);
  if (idea_ != nullptr) {
    idea_->Observe(built.candidate.config, measured.outcome, measured.time_ms);
  }
  gain_.Add(measured.outcome == Outcome::kCorrect ? measured.time_ms : 0);
  MarkTried(built.candidate.config.Text());
  ++trials_;
  ++round_trials_;
  CROQ_TRY(Record(built, measured, device_state, round));
  if (measured.outcome == Outcome::kCorrect) {
    ++correct_;
    if (fresh) {
      if (incumbent_ms_ == 0 || measured.time_ms < incumbent_ms_) {
        SetIncumbent(measured.time_ms, built.candidate.config.Text());
      }
      Leaderboard& board = idea_ != nullptr ? idea_board_ : board_;
      board.Add(std::move(built.candidate), measured.time_ms);
      return {};
    }
  }
  if (built.outcome == Outcome::kCorrect) pipeline_.cubins().Release(built.candidate.plan);
  return {};
}

Result<Evaluation> Screening::Evaluate(const Candidate& candidate) {
  const ScopeTimer timer(account_.judge);
  ++account_.judged;
  CROQ_ASSIGN(Evaluation found, session_.evaluator.Screen(candidate, incumbent_ms_));
  account_.load += found.load_ms / 1e3;
  account_.check += found.check_ms / 1e3;
  account_.time += found.timing_ms / 1e3;
  return found;
}

Status Screening::Record(const Built& built, const Measured& measured,
                         const std::string& device_state, int round) {
  Trial trial;
  trial.round = round;
  trial.config = built.candidate.config;
  trial.outcome = measured.outcome;
  trial.reason = measured.reason;
  trial.log = built.log;
  trial.time_ms = measured.time_ms;
  trial.max_abs_err = measured.max_abs_err;
  trial.build = built.candidate.build;
  trial.device_state = device_state;
  trial.predicted = session_.evaluator.Predicted();
  trial.at_millis = UnixMillis();
  nlohmann::json event{{"round", round},
                       {"config", trial.config.Text()},
                       {"outcome", NameOf(trial.outcome)},
                       {"time_ms", trial.time_ms},
                       {"tflops", Tflops(session_.shape.Flops(), trial.time_ms)},
                       {"registers", trial.build.registers},
                       {"local_bytes", trial.build.local_bytes},
                       {"shared_bytes", trial.build.shared_bytes},
                       {"compile_ms", trial.build.compile_ms},
                       {"predicted", trial.predicted}};
  if (!trial.reason.empty()) event["reason"] = trial.reason;
  if (!trial.log.empty()) event["log"] = trial.log;
  session_.observer.OnEvent("trial", event);
  CROQ_ASSIGN([[maybe_unused]] const std::int64_t id, session_.journal.AppendTrial(std::move(trial)));
  return {};
}

void Screening::RecordConstraint(const Config& config, const std::string& reason) {
  Trial trial;
  trial.round = round_;
  trial.config = config;
  trial.outcome = Outcome::kConstraints;
  trial.reason = reason;
  trial.predicted = session_.evaluator.Predicted();
  trial.at_millis = UnixMillis();
  const Result<std::int64_t> appended = session_.journal.AppendTrial(std::move(trial));
  if (!appended) deferred_ = tl::unexpected(appended.error());
}

void Screening::Report() {
  Progress progress;
  progress.phase = fmt::format("round {}: screening", round_);
  progress.trials = trials_;
  const double elapsed = SecondsSince(round_start_);
  // The first moments take what was built ahead: no rate yet.
  progress.trials_per_second = elapsed > 1 ? static_cast<double>(round_trials_) / elapsed : 0;
  progress.best = incumbent_;
  progress.best_tflops = Tflops(session_.shape.Flops(), incumbent_ms_);
  if (session_.baseline_ms > 0 && incumbent_ms_ > 0) {
    progress.share_of_cublas = session_.baseline_ms / incumbent_ms_;
  }
  if (budget_end_seconds_ >= 0) progress.seconds_left = std::max(0.0, budget_end_seconds_ - elapsed);
  progress.predicted = session_.evaluator.Predicted();
  session_.observer.OnProgress(progress);
}

}  // namespace croq::tune
