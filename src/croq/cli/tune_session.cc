#include "croq/cli/tune_session.h"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "croq/backend/compile_pool.h"
#include "croq/backend/interpreter_check.h"
#include "croq/backend/purity_check.h"
#include "croq/backend/script_host.h"
#include "croq/cli/app.h"
#include "croq/cli/tune_events.h"
#include "croq/cli/tune_observers.h"
#include "croq/cli/tune_search.h"
#include "croq/cli/tune_summary.h"
#include "croq/journal/journal.h"
#include "croq/journal/reader.h"
#include "croq/protocol/version.h"
#include "croq/tune/baseline_stage.h"
#include "croq/tune/measured_evaluator.h"
#include "croq/tune/predicted_evaluator.h"
#include "croq/tune/round_loop.h"

namespace croq::cli {
namespace {

using nlohmann::json;

std::uint64_t FreshSeed() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof(seed), 0) != sizeof(seed)) {
    seed = static_cast<std::uint64_t>(UnixMillis()) * 0x9E3779B97F4A7C15ull;
  }
  return seed;
}

/// One session while it runs. Members are in the order they depend on one another.
class ShapeRun {
 public:
  ShapeRun(TuneSetup& setup, const ShapeKey& shape, const std::atomic<bool>& interrupted)
      : setup_(setup), shape_(shape), interrupted_(interrupted),
        paths_{std::filesystem::absolute(setup.arguments.out).lexically_normal(),
               setup.device.key, setup.arguments.dsl, shape.text, setup.arguments.model},
        seed_(setup.request.seed.value_or(FreshSeed())), input_seed_(FreshSeed()) {}

  Result<int> Run();

 private:
  journal::SessionInfo WantedInfo() const;
  Status Open();
  Status StartWorkers();
  Status PrepareEvaluator();
  Status MakeStrategy();
  Status StartRun();
  Result<tune::RunSummary> Tune();
  Status TimeAgain(tune::RoundLoop& loop, tune::Session& session);
  tune::Session MakeSession();
  void Started() const;
  Result<int> Finish(const tune::RunSummary& summary);
  void Note(const std::string& message) const {
    observer_->OnEvent("note", {{"message", message}});
  }

  TuneSetup& setup_;
  const ShapeKey& shape_;
  const std::atomic<bool>& interrupted_;
  SessionPaths paths_;
  std::uint64_t seed_;
  std::uint64_t input_seed_;
  std::unique_ptr<tune::Observer> observer_;
  std::unique_ptr<journal::Journal> journal_;
  std::unique_ptr<operators::CandidateFactory> factory_;
  std::unique_ptr<backend::CompilePool> pool_;
  std::unique_ptr<backend::InterpreterCheck> numerics_;
  std::unique_ptr<backend::SupervisedScriptHost> scripts_;
  std::unique_ptr<backend::PurityCheck> rules_;
  std::vector<std::filesystem::path> script_path_folders_;
  tune::Baseline bars_;
  std::unique_ptr<tune::Evaluator> evaluator_;
  RejectionSink rejections_;
  std::unique_ptr<search::Strategy> strategy_;
  std::int64_t used_trials_ = 0;
  double used_seconds_ = 0;
};

Presentation ChoosePresentation(const TuneArguments& arguments) {
  if (arguments.json) return Presentation::kJson;
  return ::isatty(STDOUT_FILENO) == 1 ? Presentation::kTerminal : Presentation::kPlain;
}

journal::SessionInfo ShapeRun::WantedInfo() const {
  journal::SessionInfo info;
  info.gpu_key = paths_.gpu_key;
  info.dsl = paths_.dsl;
  info.shape_key = paths_.shape_key;
  info.model = paths_.model;
  info.offline = !setup_.device.measured;
  info.seed = std::to_string(seed_);
  info.created_millis = UnixMillis();
  const Interpreter& python = setup_.interpreter;
  info.environment = {std::string(protocol::kCroqVersion), python.VersionOf("triton"),
                      python.VersionOf("torch"), python.python,
                      setup_.device.driver_version > 0
                          ? std::to_string(setup_.device.driver_version)
                          : "",
                      setup_.device.name};
  return info;
}

Status ShapeRun::Open() {
  CROQ_ASSIGN(factory_, operators::MakeFactory(shape_, setup_.device, setup_.contract,
                                               setup_.layout.operators));
  CROQ_ASSIGN(journal_, journal::Journal::Open(paths_, WantedInfo()));
  observer_ = MakeTuneObserver(ChoosePresentation(setup_.arguments), stdout,
                               journal::SessionName(paths_));
  return {};
}

Status ShapeRun::StartWorkers() {
  backend::PythonWorkers python;
  python.python = setup_.interpreter.path;
  python.worker_folder = setup_.layout.python;
  python.supervisor = setup_.layout.supervisor;
  backend::CompilePoolOptions pool;
  pool.python = python;
  pool.workers = setup_.workers;
  pool.work_folder = paths_.Work() / "pool";
  CROQ_ASSIGN(pool_, backend::CompilePool::Start(pool));
  if (!setup_.runner) {
    numerics_ = std::make_unique<backend::InterpreterCheck>(
        python, *factory_, paths_.Work() / "interpreter", input_seed_);
  }
  backend::SourceReader::Options reader;
  reader.python = python;
  reader.scratch = paths_.Work() / "rules";
  rules_ = std::make_unique<backend::PurityCheck>(std::move(reader), setup_.contract);
  backend::ScriptHostOptions host;
  host.supervisor = setup_.layout.supervisor;
  host.directory = paths_.out;
  if (setup_.resolved.cuda) SelectDevice(setup_.resolved.ordinal, host.environment);
  scripts_ = std::make_unique<backend::SupervisedScriptHost>(std::move(host));
  CROQ_ASSIGN(const std::filesystem::path folder,
              PythonFolder(setup_.interpreter.path, setup_.contract.environment.interpreter,
                           paths_.Work() / "bin"));
  script_path_folders_ = {folder};
  if (!setup_.profiler.empty()) script_path_folders_.push_back(setup_.profiler.parent_path());
  return {};
}

Status ShapeRun::PrepareEvaluator() {
  if (!setup_.runner) {
    evaluator_ = std::make_unique<tune::PredictedEvaluator>(shape_, setup_.device, *numerics_);
    return {};
  }
  tune::Progress progress;
  progress.phase = "preparing inputs and baseline";
  observer_->OnProgress(progress);
  PrepareRequest request;
  request.shape = shape_;
  request.seed = input_seed_;
  request.max_abs_tolerance = setup_.contract.ToleranceOf(shape_.dtype).value_or(0);
  request.libraries = {setup_.interpreter.cublas, setup_.interpreter.cublas_lt};
  CROQ_ASSIGN(const PrepareReply prepared, setup_.runner->Prepare(request));
  CROQ_ASSIGN(bars_, tune::MeasureBars(*setup_.runner, prepared));
  if (!bars_.problem.empty()) {
    Note("no cuBLAS to compare with: " + bars_.problem);
  } else {
    const json bars = BarsJson(shape_, bars_);
    observer_->OnEvent("bars", bars);
    CROQ_TRY(journal_->SetFact("bars", bars));
  }
  evaluator_ = std::make_unique<tune::MeasuredEvaluator>(
      *setup_.runner, bars_.problem.empty(), bars_.heuristic_ms > 0);
  return {};
}

Status ShapeRun::MakeStrategy() {
  search::StrategyOptions options;
  options.space = factory_->Space();
  options.seed = seed_;
  options.on_rejected = [this](const Config& config, const std::string& reason) {
    rejections_.Add(config, reason);
  };
  options.predict = MakePredictor(shape_, setup_.device);
  if (setup_.device.measured) {
    options.shortlist = OfflineShortlist(paths_, setup_.device.compute_capability);
    if (!options.shortlist.empty()) {
      Note(fmt::format("starting from {} configurations that an offline session predicted",
                       options.shortlist.size()));
    }
  }
  strategy_ = search::MakeStrategy(setup_.arguments.strategy, std::move(options));
  CROQ_ASSIGN(const std::vector<journal::TriedConfig> tried, journal_->read().TriedConfigs());
  for (const journal::TriedConfig& one : tried) {
    CROQ_ASSIGN(const Config config, ParseConfig(one.config));
    strategy_->Observe(config, one.outcome, one.time_ms);
  }
  return {};
}

Status ShapeRun::StartRun() {
  const json budget_json = BudgetJson(setup_.request.budget);
  CROQ_ASSIGN(const std::optional<journal::UnfinishedRun> unfinished,
              journal_->FindUnfinishedRun());
  std::optional<std::int64_t> continues;
  if (unfinished && json::parse(unfinished->budget, nullptr, false) == budget_json) {
    continues = unfinished->id;
    used_trials_ = unfinished->trials;
    used_seconds_ = unfinished->seconds;
    Note(fmt::format("going on with an interrupted run: {} trials and {:.0f} s of its budget are "
                     "spent", used_trials_, used_seconds_));
  }
  CROQ_TRY(journal_->SetFact("device", {{"name", setup_.device.name},
                                        {"sm_count", setup_.device.sm_count}}));
  const json argv{{"shape_key", shape_.text}, {"device", setup_.resolved.argument},
                  {"strategy", setup_.arguments.strategy}, {"seed", std::to_string(seed_)}};
  return journal_->StartRun(argv, budget_json, continues).map([](std::int64_t) {});
}

tune::Session ShapeRun::MakeSession() {
  return tune::Session{shape_,     setup_.device, paths_,     setup_.contract, script_path_folders_,
                       *factory_,  *journal_,     *pool_,     *evaluator_,     *scripts_,
                       *rules_,    *strategy_, *observer_,    interrupted_, bars_.cold_ms};
}

Status ShapeRun::TimeAgain(tune::RoundLoop& loop, tune::Session& session) {
  const std::vector<std::string>& changes = journal_->opened().environment_changes;
  for (const std::string& change : changes) {
    Note(fmt::format("{}: timing iter000 and the best kernel again, as stored figures no longer "
                     "compare", change));
  }
  CROQ_TRY(tune::WriteBaseline(session, setup_.runner.get(), bars_, !changes.empty()));
  if (changes.empty()) return {};
  CROQ_TRY(loop.TimeBestAgain());
  return journal_->AcceptEnvironment();
}

Result<tune::RunSummary> ShapeRun::Tune() {
  tune::Session session = MakeSession();
  tune::RoundLoop loop(session, paths_.Work());
  rejections_.ConnectTo(loop.screening());
  CROQ_TRY(loop.Restore());
  CROQ_TRY(loop.Warm());
  CROQ_TRY(TimeAgain(loop, session));
  return loop.Run(setup_.request.budget, used_trials_, used_seconds_);
}

void ShapeRun::Started() const {
  const journal::OpenReport& opened = journal_->opened();
  json started = StartedJson(setup_, paths_);
  started["resumed"] = opened.resumed;
  started["seed"] = std::to_string(seed_);
  observer_->OnEvent("started", started);
  for (const std::string& repair : opened.repairs) Note("repaired: " + repair);
  if (opened.resumed) Note("resuming the session in " + paths_.Logs().string());
}

Result<int> ShapeRun::Finish(const tune::RunSummary& summary) {
  // The inputs' seed is secret while candidates run; it is recorded once they are done.
  CROQ_TRY(journal_->SetFact("input_seed", std::to_string(input_seed_)));
  CROQ_TRY(journal_->FinishRun(summary.interrupted ? journal::RunStatus::kInterrupted
                                                   : journal::RunStatus::kDone));
  json finished = SummaryJson(setup_, paths_, summary);
  finished["seed"] = std::to_string(seed_);
  observer_->OnEvent("finished", finished);
  observer_.reset();
  if (!setup_.arguments.json) fmt::print("{}", FormatSummary(setup_, shape_, paths_, summary));
  if (summary.interrupted) return kExitInterrupted;
  return summary.best ? kExitDone : kExitNoKernel;
}

Result<int> ShapeRun::Run() {
  CROQ_TRY(Open());
  Started();
  CROQ_TRY(StartWorkers());
  CROQ_TRY(PrepareEvaluator());
  CROQ_TRY(MakeStrategy());
  CROQ_TRY(StartRun());
  Result<tune::RunSummary> summary = Tune();
  if (!summary) {
    [[maybe_unused]] const Status ignored = journal_->FinishRun(journal::RunStatus::kFailed);
    return tl::unexpected(summary.error());
  }
  return Finish(*summary);
}

}  // namespace

Result<int> TuneOneShape(TuneSetup& setup, const ShapeKey& shape,
                         const std::atomic<bool>& interrupted) {
  return ShapeRun(setup, shape, interrupted).Run();
}

}  // namespace croq::cli
