#include "croq/cli/tune_replay.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "croq/cli/app.h"
#include "croq/cli/session_parts.h"
#include "croq/cli/tune_events.h"
#include "croq/cli/tune_observers.h"
#include "croq/cli/tune_search.h"
#include "croq/cli/tune_summary.h"
#include "croq/journal/journal.h"
#include "croq/journal/reader.h"
#include "croq/model/recording.h"
#include "croq/tune/replay.h"
#include "croq/tune/screening.h"

namespace croq::cli {
namespace {

constexpr double kMillis = 1e-3;
/// Of the machine whose compile times were recorded, where neither it nor --workers says otherwise.
constexpr int kRecordedWorkers = 16;

Status CheckRequest(const TuneRequest& request, const Recording& recording) {
  if (!request.files.empty())
    return UsageFailure("--device replay: it takes a shape key; files are measured, not replayed");
  for (const ShapeKey& shape : request.shapes) {
    if (shape.text == recording.shape.text) continue;
    return UsageFailure(fmt::format("{} is a recording of {}, not of {}",
                                    request.device.recording, recording.shape.text, shape.text));
  }
  if (request.budget.rounds > 0)
    return UsageFailure("--rounds: a recording holds no profiles to take ideas from; give --time "
                        "or --trials");
  return {};
}

TuneSetup SetupOf(const TuneArguments& arguments, const TuneRequest& request,
                  const Recording& recording) {
  TuneSetup setup;
  setup.arguments = arguments;
  setup.request = request;
  setup.device = recording.device;
  setup.device.key = "replay_" + recording.device.key;
  setup.device.measured = false;
  setup.resolved.argument = request.device.text;
  const int recorded = recording.workers > 0 ? recording.workers : kRecordedWorkers;
  setup.workers = request.workers > 0 ? request.workers : recorded;
  return setup;
}

/// One search on one recording.
class ReplayRun {
 public:
  ReplayRun(TuneSetup& setup, const Recording& recording, const std::atomic<bool>& interrupted)
      : setup_(setup), recording_(recording), interrupted_(interrupted), trials_(recording),
        clock_(setup.workers), factory_(recording), builder_(trials_, clock_, setup.workers),
        evaluator_(trials_, clock_), paths_(PathsOf(setup, recording.shape)),
        seed_(setup.request.seed.value_or(FreshSeed())) {}

  Result<int> Run();

 private:
  Status Open();
  Status Search();
  nlohmann::json Finished() const;

  TuneSetup& setup_;
  const Recording& recording_;
  const std::atomic<bool>& interrupted_;
  RecordedTrials trials_;
  search::VirtualClock clock_;
  tune::RecordedFactory factory_;
  tune::ReplayBuilder builder_;
  tune::ReplayEvaluator evaluator_;
  tune::ReplayScripts scripts_;
  contract::Contract contract_;
  SessionPaths paths_;
  std::uint64_t seed_;
  std::unique_ptr<journal::Journal> journal_;
  std::unique_ptr<tune::Observer> observer_;
  std::int64_t tried_ = 0;
  tune::ScreenAccount account_;
  std::string best_;
  double best_ms_ = 0;
};

Status ReplayRun::Open() {
  CROQ_ASSIGN(const InstallLayout layout, FindInstallLayout());
  CROQ_ASSIGN(contract_, contract::FindContract(layout.contracts, setup_.arguments.dsl));
  CROQ_ASSIGN(journal_, journal::Journal::Open(paths_, WantedSession(setup_, paths_, seed_)));
  const Presentation presentation = setup_.arguments.json           ? Presentation::kJson
                                    : ::isatty(STDOUT_FILENO) == 1 ? Presentation::kTerminal
                                                                    : Presentation::kPlain;
  observer_ = MakeTuneObserver(presentation, stdout, journal::SessionName(paths_));
  nlohmann::json started = StartedJson(setup_, paths_);
  started["resumed"] = journal_->opened().resumed;
  started["seed"] = std::to_string(seed_);
  observer_->OnEvent("started", started);
  observer_->OnEvent(
      "note", {{"message", fmt::format("replaying {}: recorded on {} on {} with Triton {}; times "
                                       "are as recorded, and a clock of {} compile workers and one "
                                       "GPU counts what they would take",
                                       setup_.request.device.recording, recording_.device.name,
                                       recording_.date, recording_.triton, setup_.workers)}});
  return journal_->StartRun({{"device", setup_.resolved.argument},
                             {"strategy", setup_.arguments.strategy},
                             {"seed", std::to_string(seed_)}},
                            BudgetJson(setup_.request.budget), std::nullopt)
      .map([](std::int64_t) {});
}

Status ReplayRun::Search() {
  search::StrategyOptions options;
  options.space = factory_.Space();
  options.seed = seed_;
  options.predict = MakePredictor(recording_.shape, recording_.device);
  const std::unique_ptr<search::Strategy> strategy =
      search::MakeStrategy(setup_.arguments.strategy, std::move(options));
  CROQ_ASSIGN(const std::vector<journal::TriedConfig> tried, journal_->read().TriedConfigs());
  for (const journal::TriedConfig& one : tried) {
    CROQ_ASSIGN(const Config config, ParseConfig(one.config));
    strategy->Observe(config, one.outcome, one.time_ms);
  }
  tune::Session session{recording_.shape, setup_.device, paths_,    contract_, {},
                        factory_,         *journal_,     builder_,  evaluator_, scripts_,
                        scripts_,         *strategy,     *observer_, interrupted_,
                        recording_.cublas_ms};
  tune::Pipeline pipeline(factory_, builder_, paths_.Work() / "src");
  tune::Screening screening(session, pipeline);
  const double most_ms = setup_.request.budget.seconds / kMillis;
  screening.SetPatience(setup_.request.budget.trials_without_gain);
  tune::ScreenLimits limits;
  limits.trials = setup_.request.budget.trials;
  if (most_ms > 0) limits.reached = [this, most_ms] { return clock_.now() >= most_ms; };
  CROQ_TRY(screening.Run(1, limits));
  tried_ = screening.trials();
  account_ = screening.account();
  if (const tune::Candidate* best = screening.board().Best()) {
    best_ = best->config.Text();
    best_ms_ = screening.board().BestMillis();
  }
  return {};
}

nlohmann::json ReplayRun::Finished() const {
  const double optimum = recording_.BestMs();
  return {{"replay", setup_.request.device.recording},
          {"trials", tried_},
          {"account", AccountJson(account_)},
          {"charged_seconds", clock_.now() * kMillis},
          {"best", best_},
          {"best_ms", best_ms_},
          {"recorded_best_ms", optimum},
          {"of_recorded_best", best_ms_ > 0 ? optimum / best_ms_ : 0},
          {"recorded_trials", recording_.trials.size()},
          {"seed", std::to_string(seed_)}};
}

Result<int> ReplayRun::Run() {
  CROQ_TRY(Open());
  const Status searched = Search();
  if (!searched) {
    [[maybe_unused]] const Status ignored = journal_->FinishRun(journal::RunStatus::kFailed);
    return tl::unexpected(searched.error());
  }
  const bool interrupted = interrupted_.load();
  CROQ_TRY(journal_->FinishRun(interrupted ? journal::RunStatus::kInterrupted
                                           : journal::RunStatus::kDone));
  const nlohmann::json finished = Finished();
  observer_->OnEvent("finished", finished);
  observer_.reset();
  if (!setup_.arguments.json) {
    fmt::print("{}: {} of {} recorded configurations tried in {:.1f} s of recorded time\n",
               recording_.shape.text, tried_, recording_.trials.size(), clock_.now() * kMillis);
    if (best_ms_ > 0) {
      fmt::print("best {}: {:.4f} ms as recorded, {:.3f} of the recording's fastest\n", best_,
                 best_ms_, recording_.BestMs() / best_ms_);
    }
  }
  if (interrupted) return kExitInterrupted;
  return best_ms_ > 0 ? kExitDone : kExitNoKernel;
}

}  // namespace

Result<int> TuneReplay(const TuneArguments& arguments, const TuneRequest& request,
                       const std::atomic<bool>& interrupted) {
  CROQ_ASSIGN(const Recording recording, ReadRecording(request.device.recording));
  CROQ_TRY(CheckRequest(request, recording));
  TuneSetup setup = SetupOf(arguments, request, recording);
  return ReplayRun(setup, recording, interrupted).Run();
}

}  // namespace croq::cli
