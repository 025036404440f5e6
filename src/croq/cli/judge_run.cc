#include "croq/cli/judge_run.h"

#include <fmt/format.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "croq/backend/brought_numerics.h"
#include "croq/backend/brought_steps.h"
#include "croq/base/files.h"
#include "croq/cli/session_parts.h"
#include "croq/cli/tune_events.h"
#include "croq/cli/tune_observers.h"
#include "croq/journal/journal.h"
#include "croq/search/roofline.h"
#include "croq/tune/baseline_stage.h"
#include "croq/tune/measured_evaluator.h"
#include "croq/tune/predicted_evaluator.h"

namespace croq::cli {
namespace {

using nlohmann::json;

/// Nothing is searched for.
class NoStrategy : public search::Strategy {
 public:
  std::string_view Name() const override { return "none"; }
  std::optional<Config> Propose() override { return std::nullopt; }
  void Observe(const Config&, Outcome, double) override {}
};

/// Lines on stderr, so that stdout holds the verdict alone. Of the events only what a person waits
/// for or is warned of.
class StderrObserver : public tune::Observer {
 public:
  void OnProgress(const tune::Progress&) override {}
  void OnEvent(const std::string& type, const json& fields) override {
    if (type == "warning" || type == "note") {
      fmt::print(stderr, "{}: {}\n", type, fields.value("message", ""));
    }
  }
};

/// One judgement while it runs. Members are in the order they depend on one another.
class JudgeRun {
 public:
  explicit JudgeRun(TuneSetup& setup)
      : setup_(setup), shape_(setup.request.shapes.front()), paths_(PathsOf(setup, shape_)),
        input_seed_(FreshSeed()) {}

  Result<tune::Verdict> Run(tune::CandidateFile file, const std::string& idea);
  const SessionPaths& paths() const { return paths_; }

 private:
  Status Open();
  Status PrepareEvaluator();
  Result<tune::Verdict> Judge(tune::CandidateFile file, const std::string& idea);

  TuneSetup& setup_;
  const ShapeKey& shape_;
  SessionPaths paths_;
  std::uint64_t input_seed_;
  StderrObserver observer_;
  NoStrategy strategy_;
  std::atomic<bool> interrupted_{false};
  std::unique_ptr<journal::Journal> journal_;
  std::unique_ptr<backend::WorkerTreeReader> reader_;
  std::unique_ptr<backend::WorkerHostCapture> capture_;
  std::unique_ptr<tune::FileFactory> factory_;
  std::unique_ptr<backend::CompilePool> pool_;
  std::unique_ptr<backend::PurityCheck> rules_;
  std::unique_ptr<backend::SupervisedScriptHost> scripts_;
  std::unique_ptr<backend::BroughtNumerics> numerics_;
  tune::Baseline bars_;
  std::unique_ptr<tune::Evaluator> evaluator_;
};

Status JudgeRun::Open() {
  CROQ_ASSIGN(std::unique_ptr<operators::CandidateFactory> built_in,
              operators::MakeFactory(shape_, setup_.device, setup_.contract,
                                     setup_.layout.operators));
  CROQ_ASSIGN(journal_, journal::Journal::Open(paths_, WantedSession(setup_, paths_, FreshSeed())));
  const backend::PythonWorkers workers = WorkersOf(setup_);
  reader_ = std::make_unique<backend::WorkerTreeReader>(workers, paths_.Work() / "parse");
  capture_ = std::make_unique<backend::WorkerHostCapture>(workers, paths_.Work() / "capture",
                                                          setup_.device);
  factory_ = std::make_unique<tune::FileFactory>(
      tune::FileFactory::Parts{shape_, setup_.contract, *reader_, *capture_,
                               paths_.Work() / "judged", std::move(built_in)});
  CROQ_ASSIGN(pool_, StartPool(setup_, paths_));
  rules_ = MakeRuleCheck(setup_, paths_);
  scripts_ = MakeScriptHost(setup_, paths_);
  return {};
}

Status JudgeRun::PrepareEvaluator() {
  if (setup_.runner) {
    CROQ_ASSIGN(const PrepareReply prepared,
                setup_.runner->Prepare(RequestFor(setup_, shape_, input_seed_)));
    CROQ_ASSIGN(bars_, tune::MeasureBars(*setup_.runner, prepared));
    evaluator_ = std::make_unique<tune::MeasuredEvaluator>(
        *setup_.runner, bars_.problem.empty(), bars_.heuristic_ms > 0);
    if (bars_.problem.empty()) return journal_->SetFact("bars", BarsJson(shape_, bars_));
    observer_.OnEvent("note", {{"message", "no cuBLAS to compare with: " + bars_.problem}});
    return {};
  }
  numerics_ = std::make_unique<backend::BroughtNumerics>(
      WorkersOf(setup_), paths_.Work() / "interpreter", std::nullopt, input_seed_);
  const auto model = [this](const tune::Candidate& candidate) {
    return search::PredictPlanMillis(shape_, setup_.device, candidate.plan);
  };
  evaluator_ = std::make_unique<tune::PredictedEvaluator>(model, *numerics_);
  return {};
}

Result<tune::Verdict> JudgeRun::Judge(tune::CandidateFile file, const std::string& idea) {
  CROQ_ASSIGN(std::vector<std::filesystem::path> folders, ScriptPathFolders(setup_, paths_));
  tune::Session session{shape_,    setup_.device, paths_,     setup_.contract, std::move(folders),
                        *factory_, *journal_,     *pool_,     *evaluator_,     *scripts_,
                        *rules_,   strategy_,     observer_,  interrupted_,    bars_.cold_ms};
  const std::vector<std::string>& changes = journal_->opened().environment_changes;
  CROQ_TRY(tune::WriteBaseline(session, setup_.runner.get(), bars_, !changes.empty()));
  for (const std::string& change : changes) {
    observer_.OnEvent("note", {{"message", change + ": stored figures no longer compare; the duel "
                                                    "with the best kernel is of this run"}});
  }
  if (!changes.empty()) CROQ_TRY(journal_->AcceptEnvironment());
  tune::Pipeline pipeline(*factory_, *pool_, paths_.Work() / "src");
  return tune::Judge(session, *factory_, pipeline).Run(std::move(file), idea);
}

Result<tune::Verdict> JudgeRun::Run(tune::CandidateFile file, const std::string& idea) {
  CROQ_TRY(Open());
  CROQ_TRY(PrepareEvaluator());
  const json argv{{"shape_key", shape_.text}, {"device", setup_.resolved.argument},
                  {"judge", file.name}};
  CROQ_TRY(journal_->StartRun(argv, BudgetJson(setup_.request.budget)).map([](std::int64_t) {}));
  Result<tune::Verdict> verdict = Judge(std::move(file), idea);
  // The inputs' seed is secret while the candidate runs.
  if (verdict) CROQ_TRY(journal_->SetFact("input_seed", std::to_string(input_seed_)));
  CROQ_TRY(journal_->FinishRun(verdict ? journal::RunStatus::kDone : journal::RunStatus::kFailed));
  return verdict;
}

}  // namespace

Result<Judged> JudgeFile(TuneSetup& setup, const std::filesystem::path& file,
                         const std::string& idea) {
  // Read once: what is checked, captured, compiled, run and stored are these bytes.
  Result<std::string> bytes = ReadFile(file);
  if (!bytes) return UsageFailure(bytes.error().message);
  JudgeRun run(setup);
  CROQ_ASSIGN(tune::Verdict verdict,
              run.Run({file.filename().string(), tune::TagOfFile(file), std::move(*bytes)}, idea));
  return Judged{std::move(verdict), run.paths()};
}

}  // namespace croq::cli
