#include <nlohmann/json.hpp>

#include "croq/cli/tune_events.h"
#include "croq/cli/tune_run.h"
#include "croq/tune/measured_evaluator.h"
#include "croq/tune/predicted_evaluator.h"

/// What a session starts before its search: workers, and whoever judges candidates.
namespace croq::cli {

using nlohmann::json;

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
  if (!setup_.runner && brought_ == nullptr) {
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
  if (setup_.runner) return Measure();
  if (brought_ != nullptr) {
    evaluator_ = brought_->MakePredicted(setup_, paths_);
  } else {
    evaluator_ = std::make_unique<tune::PredictedEvaluator>(shape_, setup_.device, *numerics_);
  }
  return {};
}

Status ShapeRun::Measure() {
  tune::Progress progress;
  progress.phase = "preparing inputs and baseline";
  observer_->OnProgress(progress);
  PrepareRequest request;
  request.shape = shape_;
  request.seed = input_seed_;
  request.max_abs_tolerance = setup_.contract.ToleranceOf(shape_.dtype).value_or(0);
  request.libraries = {setup_.interpreter.cublas, setup_.interpreter.cublas_lt};
  if (brought_ != nullptr) brought_->Describe(request);
  CROQ_ASSIGN(const PrepareReply prepared, setup_.runner->Prepare(request));
  if (request.problem) {
    CROQ_TRY(brought_->TakeUp(setup_, paths_, prepared, *journal_));
    evaluator_ = std::make_unique<tune::MeasuredEvaluator>(*setup_.runner, false, false);
    return {};
  }
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

}  // namespace croq::cli
