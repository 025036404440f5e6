#include "croq/tune/round_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace croq::tune {
namespace {

// Screening noise is a few percent: who lies within this of the fastest may be the fastest.
constexpr double kFinalistFactor = 1.05;
constexpr std::size_t kFinalists = 5;
// Runners-up of an earlier run that are built and screened again on resume.
constexpr std::size_t kRestored = 8;
// First guess of what closing a round takes; measured from then on.
constexpr double kClosingSecondsGuess = 14;
constexpr double kClosingSecondsGuessPredicted = 5;
constexpr const char* kLastRoundFact = "last_round";

}  // namespace

RoundLoop::RoundLoop(Session& session, const std::filesystem::path& work)
    : session_(session), pipeline_(session.factory, session.builder, work / "src"),
      screening_(session, pipeline_), writer_(session) {}

Result<std::optional<Candidate>> RoundLoop::BuildNow(const std::string& config_text) {
  CROQ_ASSIGN(const Config config, ParseConfig(config_text));
  CROQ_ASSIGN(std::vector<Built> built, pipeline_.BuildNow({config}));
  if (built.front().outcome == Outcome::kCorrect) return std::move(built.front().candidate);
  session_.observer.OnEvent("warning",
                            {{"message", fmt::format("{} does not build any more: {}", config_text,
                                                     built.front().reason)}});
  return std::nullopt;
}

Status RoundLoop::Restore() {
  CROQ_TRY(RestoreBest());
  CROQ_TRY(RestoreOpenIteration());
  return RestoreBoard();
}

Status RoundLoop::RestoreBest() {
  CROQ_ASSIGN(const std::optional<Iteration> best, session_.journal.read().Best());
  if (!best) return {};
  CROQ_ASSIGN(best_, BuildNow(best->config));
  if (!best_) return {};
  CROQ_ASSIGN(const Evaluation now, session_.evaluator.Screen(*best_, 0));
  if (now.outcome == Outcome::kCorrect) screening_.SetIncumbent(now.time_ms, best->config);
  return {};
}

Status RoundLoop::TimeBestAgain() {
  if (!best_) return {};
  CROQ_ASSIGN(const ContractTiming timing, session_.evaluator.ContractTime(*best_));
  if (timing.outcome != Outcome::kCorrect) {
    session_.observer.OnEvent(
        "warning", {{"message", fmt::format("the best kernel so far does not run any more ({}): {}",
                                            NameOf(timing.outcome), timing.reason)}});
    best_.reset();
    return {};
  }
  const double ms = timing.ms;
  CROQ_TRY(session_.journal.SetFact("best_timed_again",
                                    {{"config", best_->config.Text()}, {"time_ms", ms}}));
  session_.observer.OnEvent(
      "note", {{"message", fmt::format("the best kernel now: {:.1f} TFLOPS, {:.4f} ms (contract "
                                       "regime{})", Tflops(session_.shape.Flops(), ms), ms,
                                       session_.evaluator.Predicted() ? ", predicted" : "")}});
  return {};
}

Status RoundLoop::RestoreOpenIteration() {
  CROQ_ASSIGN(const std::optional<journal::OpenIteration> open,
              session_.journal.FindOpenIteration());
  // iter000 is the baseline stage's own.
  if (!open || open->number == 0) return {};
  CROQ_ASSIGN(const std::optional<Candidate> candidate, BuildNow(open->config));
  if (!candidate) {
    Attempt attempt;
    attempt.outcome = Outcome::kCompile;
    attempt.reason = "interrupted while it was written, and it does not build any more";
    return session_.journal.AbandonIteration(open->number, attempt).map([](const Attempt&) {});
  }
  const Origin origin{open->round, "taken up again after an interruption",
                      fmt::format("{} was being written", IterationName(open->number))};
  return WriteWinner(*candidate, origin).map([](bool) {});
}

Status RoundLoop::RestoreBoard() {
  CROQ_ASSIGN(std::vector<journal::TriedConfig> tried, session_.journal.read().TriedConfigs());
  CROQ_ASSIGN(const std::vector<Iteration> iterations, session_.journal.read().Iterations());
  std::set<std::string> seen;
  for (const Iteration& iteration : iterations) seen.insert(iteration.config);
  CROQ_ASSIGN(const std::vector<Attempt> attempts, session_.journal.read().Attempts());
  for (const Attempt& attempt : attempts) seen.insert(attempt.config);
  std::erase_if(tried, [](const auto& one) { return one.outcome != Outcome::kCorrect; });
  std::stable_sort(tried.begin(), tried.end(),
                   [](const auto& a, const auto& b) { return a.time_ms < b.time_ms; });
  std::vector<Config> configs;
  for (const journal::TriedConfig& one : tried) {
    if (configs.size() == kRestored) break;
    if (!seen.insert(one.config).second) continue;
    CROQ_ASSIGN(Config config, ParseConfig(one.config));
    configs.push_back(std::move(config));
  }
  CROQ_ASSIGN(std::vector<Built> built, pipeline_.BuildNow(configs));
  for (Built& one : built) {
    if (one.outcome != Outcome::kCorrect) continue;
    CROQ_ASSIGN(const Evaluation now, session_.evaluator.Screen(one.candidate, 0));
    if (now.outcome == Outcome::kCorrect) {
      screening_.board().Add(std::move(one.candidate), now.time_ms);
    } else {
      pipeline_.cubins().Release(one.candidate.plan);
    }
  }
  return {};
}

/// The number of the last round of any run, 0 before the first.
Result<int> RoundLoop::LastRound() const {
  CROQ_ASSIGN(const std::optional<nlohmann::json> fact, session_.journal.Fact(kLastRoundFact));
  return fact && fact->is_number_integer() ? fact->get<int>() : 0;
}

Result<RunSummary> RoundLoop::Run(const Budget& budget, std::int64_t used_trials,
                                  double used_seconds) {
  const SteadyTime start = std::chrono::steady_clock::now();
  RoundPlan plan(budget, used_trials, used_seconds);
  RunSummary summary;
  double closing_seconds =
      session_.evaluator.Predicted() ? kClosingSecondsGuessPredicted : kClosingSecondsGuess;
  CROQ_ASSIGN(const int last_round, LastRound());
  for (int round = last_round + 1; plan.Ended() == nullptr; ++round) {
    CROQ_TRY(session_.journal.SetFact(kLastRoundFact, round));
    const SteadyTime round_start = std::chrono::steady_clock::now();
    const std::int64_t trials_before = screening_.trials();
    const ScreenLimits limits = plan.Next(closing_seconds);
    Announce(round, limits);
    screening_.SetSecondsLeft(plan.SecondsLeft());
    CROQ_TRY(screening_.Run(round, limits));
    const SteadyTime closing_start = std::chrono::steady_clock::now();
    bool written = false;
    if (!session_.interrupted.load()) {
      CROQ_ASSIGN(written, CloseRound(round));
    }
    if (written) closing_seconds = SecondsSince(closing_start);
    plan.Spend(screening_.trials() - trials_before, SecondsSince(round_start));
    if (session_.interrupted.load()) break;
    if (screening_.Exhausted() && screening_.board().Best() == nullptr) {
      summary.ended_by = "space exhausted";
      break;
    }
  }
  summary.interrupted = session_.interrupted.load();
  if (summary.interrupted) {
    summary.ended_by = "interrupt";
  } else if (summary.ended_by.empty()) {
    summary.ended_by = plan.Ended();
  }
  summary.trials = screening_.trials();
  summary.correct_trials = screening_.correct();
  summary.screening_seconds = screening_.seconds();
  summary.wall_seconds = SecondsSince(start);
  CROQ_ASSIGN(summary.best, session_.journal.read().Best());
  return summary;
}

void RoundLoop::Announce(int round, const ScreenLimits& limits) {
  session_.observer.OnEvent("round", {{"round", round},
                                      {"trial_limit", limits.trials},
                                      {"second_limit", limits.seconds}});
}

Result<bool> RoundLoop::CloseRound(int round) {
  while (true) {
    const std::vector<Candidate> finalists = screening_.board().Top(kFinalists, kFinalistFactor);
    if (finalists.empty()) return false;
    CROQ_TRY(screening_.FillAhead());
    std::vector<Evaluator::Rejected> rejected;
    CROQ_ASSIGN(const std::optional<std::size_t> winner,
                session_.evaluator.Settle(finalists, rejected));
    for (const Evaluator::Rejected& one : rejected) {
      const std::string config = finalists[one.index].config.Text();
      screening_.board().Remove(config);
      // The search must not go on around a kernel that is wrong on another input set.
      session_.strategy.Observe(finalists[one.index].config, one.outcome, 0);
      session_.observer.OnEvent("warning",
                                {{"message", fmt::format("finalist {} was rejected ({}): {}", config,
                                                         NameOf(one.outcome), one.reason)}});
    }
    if (!winner) continue;
    const Candidate& candidate = finalists[*winner];
    screening_.board().Remove(candidate.config.Text());
    const Origin origin{
        round,
        fmt::format("{} levers: fastest of {} finalists", candidate.config.variant,
                    finalists.size()),
        fmt::format("{} trials screened so far, {} correct", screening_.trials(),
                    screening_.correct())};
    return WriteWinner(candidate, origin);
  }
}

Result<bool> RoundLoop::WriteWinner(const Candidate& winner, const Origin& origin) {
  Progress progress;
  progress.phase = fmt::format("round {}: writing {}", origin.round, winner.tag);
  progress.predicted = session_.evaluator.Predicted();
  session_.observer.OnProgress(progress);
  CROQ_ASSIGN(const std::optional<Iteration> iteration,
              writer_.Write(winner, best_ ? &*best_ : nullptr, origin));
  if (!iteration) return false;
  if (iteration->decision == Decision::kKeep) best_ = winner;
  return true;
}

}  // namespace croq::tune
