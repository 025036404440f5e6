#include "croq/tune/round_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace croq::tune {
namespace {

// Runners-up of an earlier run that are built and screened again on resume.
constexpr std::size_t kRestored = 8;
// First guess of what closing a round takes; measured from then on.
constexpr double kClosingSecondsGuess = 14;
constexpr double kClosingSecondsGuessPredicted = 5;
constexpr const char* kLastRoundFact = "last_round";
// What an idea's configurations take to be built and screened.
constexpr double kIdeaSecondsGuess = 5;
constexpr std::int64_t kIdeaTrials = 64;

}  // namespace

RoundLoop::RoundLoop(Session& session, const std::filesystem::path& work)
    : session_(session), pipeline_(session.factory, session.builder, work / "src"),
      screening_(session, pipeline_), writer_(session) {
  if (session.ideas != nullptr) ideas_.emplace(session, *session.ideas, pipeline_, screening_);
  closing_seconds_ =
      session.evaluator.Predicted() ? kClosingSecondsGuessPredicted : kClosingSecondsGuess;
}

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
  if (ideas_) CROQ_TRY(ideas_->Restore());
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
  if (now.outcome == Outcome::kCorrect) {
    screening_.SetIncumbent(now.time_ms, best->config);
    best_ms_ = now.time_ms;
  }
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
  return WriteWinner(*candidate, origin).map([](const auto&) {});
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
  start_ = std::chrono::steady_clock::now();
  budget_seconds_ = budget.seconds > 0 ? std::max(1.0, budget.seconds - used_seconds) : 0;
  screening_.SetPatience(budget.trials_without_gain);
  RoundPlan plan(budget, used_trials, used_seconds);
  RunSummary summary;
  CROQ_ASSIGN(const int last_round, LastRound());
  for (int round = last_round + 1; plan.Ended() == nullptr; ++round) {
    CROQ_TRY(session_.journal.SetFact(kLastRoundFact, round));
    CROQ_TRY(RunRound(round, plan));
    if (session_.interrupted.load()) break;
    if (const char* ended = EndedByRule()) {
      summary.ended_by = ended;
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
  summary.account = screening_.account();
  summary.wall_seconds = SecondsSince(start_);
  CROQ_ASSIGN(summary.best, session_.journal.read().Best());
  return summary;
}

double RoundLoop::SecondsLeft() const {
  return budget_seconds_ > 0 ? std::max(0.0, budget_seconds_ - SecondsSince(start_)) : -1;
}

const char* RoundLoop::EndedByRule() {
  if (screening_.WithoutGain()) return "no gain";
  const bool nothing_left = screening_.Exhausted() && screening_.board().Best() == nullptr;
  if (nothing_left && (!ideas_ || out_of_ideas_)) return "space exhausted";
  return ideas_ ? ideas_->Ended(best_ms_) : nullptr;
}

Status RoundLoop::RunRound(int round, RoundPlan& plan) {
  const SteadyTime start = std::chrono::steady_clock::now();
  const std::int64_t trials_before = screening_.trials();
  screening_.SetSecondsLeft(plan.SecondsLeft());
  std::optional<PlannedIdea> planned;
  if (ideas_ && best_ && !widely_) {
    // A profile is taken where the round's closing still fits behind it.
    const double left = SecondsLeft() < 0 ? -1 : std::max(0.0, SecondsLeft() - closing_seconds_);
    CROQ_ASSIGN(planned, ideas_->Plan(round, *best_, left));
    out_of_ideas_ = !planned;
  }
  const double later =
      ideas_ ? closing_seconds_ + ideas_->SecondsEach() + kIdeaSecondsGuess : 0;
  const ScreenLimits limits = planned ? plan.NextIdea(closing_seconds_, kIdeaTrials)
                                      : plan.Next(closing_seconds_, later);
  Announce(round, limits);
  std::optional<Iteration> written;
  if (planned) {
    CROQ_ASSIGN(written, IdeaRound(*planned, limits));
  } else {
    CROQ_ASSIGN(written, WideRound(round, limits));
  }
  widely_ = false;
  if (ideas_) plan.SetLeastSeconds(closing_seconds_ + kIdeaSecondsGuess);
  plan.Spend(screening_.trials() - trials_before, SecondsSince(start));
  return {};
}

Result<std::optional<Iteration>> RoundLoop::WideRound(int round, const ScreenLimits& limits) {
  CROQ_TRY(screening_.Run(round, limits));
  const SteadyTime closing_start = std::chrono::steady_clock::now();
  std::optional<Iteration> written;
  if (!session_.interrupted.load()) {
    CROQ_ASSIGN(written, CloseRound(round));
  }
  if (written) closing_seconds_ = SecondsSince(closing_start);
  if (ideas_ && written) {
    ClosedRound record;
    record.round = round;
    ideas_->Close(record, written->decision);
  }
  return written;
}

Result<std::optional<Iteration>> RoundLoop::IdeaRound(PlannedIdea& plan,
                                                      const ScreenLimits& limits) {
  CROQ_TRY(ideas_->Screen(plan, limits));
  if (session_.interrupted.load()) return std::nullopt;
  const SteadyTime closing_start = std::chrono::steady_clock::now();
  CROQ_ASSIGN(const std::optional<Winner> winner,
              SettleFinalists(session_, screening_.idea_board()));
  screening_.EndIdea();
  const auto left = [this] { return SecondsLeft(); };
  std::optional<Iteration> written;
  if (winner) {
    const Origin origin =
        ideas_->Complete(ideas_->OriginOf(plan), &plan, winner->candidate, left);
    plan.AddSetting(winner->candidate.config.Text());
    CROQ_ASSIGN(written, WriteWinner(winner->candidate, origin));
  } else {
    const IdeaStrategy::Failure failure = ideas_->FailureOf(plan);
    CROQ_ASSIGN(operators::Script script, session_.factory.Render(failure.config));
    Candidate nothing;
    nothing.config = failure.config;
    nothing.source = std::move(script.source);
    nothing.tag = std::move(script.tag);
    const Origin origin = ideas_->Complete(ideas_->OriginOf(plan), &plan, nothing, left);
    CROQ_TRY(writer_.WriteFailure(nothing, failure.outcome,
                                  "no configuration of the idea came to a new, correct kernel", "",
                                  origin));
  }
  if (written) closing_seconds_ = SecondsSince(closing_start);
  ideas_->Close(plan.record, written ? written->decision : Decision::kNone);
  return written;
}

void RoundLoop::Announce(int round, const ScreenLimits& limits) {
  session_.observer.OnEvent("round", {{"round", round},
                                      {"trial_limit", limits.trials},
                                      {"second_limit", limits.seconds}});
}

Result<std::optional<Iteration>> RoundLoop::CloseRound(int round) {
  // The next round's idea is not known yet, and the wide search's builds would only delay it.
  if (!ideas_) CROQ_TRY(screening_.FillAhead());
  CROQ_ASSIGN(const std::optional<Winner> winner, SettleFinalists(session_, screening_.board()));
  if (!winner) return std::nullopt;
  const Candidate& candidate = winner->candidate;
  Origin origin;
  origin.round = round;
  origin.idea = fmt::format("{} levers: fastest of {} finalists", candidate.config.variant,
                            winner->finalists);
  origin.evidence = fmt::format("{} trials screened so far, {} correct", screening_.trials(),
                                screening_.correct());
  if (ideas_) {
    const auto left = [this] { return SecondsLeft(); };
    origin = ideas_->Complete(std::move(origin), nullptr, candidate, left);
  }
  return WriteWinner(candidate, origin);
}

Result<std::optional<Iteration>> RoundLoop::WriteWinner(const Candidate& winner,
                                                        const Origin& origin) {
  Progress progress;
  progress.phase = fmt::format("round {}: writing {}", origin.round, winner.tag);
  progress.predicted = session_.evaluator.Predicted();
  session_.observer.OnProgress(progress);
  CROQ_ASSIGN(const Written written,
              writer_.Write(winner, best_ ? &*best_ : nullptr, origin));
  if (written.iteration && written.iteration->decision == Decision::kKeep) {
    best_ = winner;
    best_ms_ = written.iteration->cold_ms;
  }
  return written.iteration;
}

}  // namespace croq::tune
