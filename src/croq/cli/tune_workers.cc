#include <algorithm>
#include <nlohmann/json.hpp>

#include "croq/cli/session_parts.h"
#include "croq/cli/tune_events.h"
#include "croq/cli/tune_run.h"
#include "croq/tune/measured_evaluator.h"
#include "croq/tune/predicted_evaluator.h"

/// What a session starts before its search: workers, and whoever judges candidates.
namespace croq::cli {

using nlohmann::json;

Status ShapeRun::StartWorkers() {
  CROQ_ASSIGN(pool_, StartPool(setup_, paths_));
  builder_ = std::make_unique<tune::SharedBuilder>(*pool_);
  if (!setup_.runner && brought_ == nullptr) {
    numerics_ = std::make_unique<backend::InterpreterCheck>(
        WorkersOf(setup_), *factory_, paths_.Work() / "interpreter", input_seed_);
  }
  rules_ = MakeRuleCheck(setup_, paths_);
  scripts_ = MakeScriptHost(setup_, paths_);
  CROQ_ASSIGN(script_path_folders_, ScriptPathFolders(setup_, paths_));
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
  PrepareRequest request = RequestFor(setup_, shape_, input_seed_);
  if (brought_ != nullptr) brought_->Describe(request);
  CROQ_ASSIGN(const PrepareReply prepared, setup_.runner->Prepare(request));
  measured_.prepare = request;
  if (prepared.copy_gbps > 0) {
    measured_.ceilings.copy_gb_per_s = prepared.copy_gbps;
    CROQ_TRY(journal_->SetFact("copy_gbps", prepared.copy_gbps));
  }
  if (request.problem) {
    CROQ_TRY(brought_->TakeUp(setup_, paths_, prepared));
    evaluator_ = std::make_unique<tune::MeasuredEvaluator>(*setup_.runner, false, false);
    return {};
  }
  CROQ_ASSIGN(bars_, tune::MeasureBars(*setup_.runner, prepared));
  if (!bars_.problem.empty()) {
    Note("no cuBLAS to compare with: " + bars_.problem);
  } else {
    const json bars = BarsJson(shape_, bars_);
    measured_.ceilings.matmul_tflops =
        Tflops(shape_.Flops(), bars_.heuristic_ms > 0 ? std::min(bars_.cold_ms, bars_.heuristic_ms)
                                                      : bars_.cold_ms);
    measured_.ceilings.operations = shape_.Flops();
    observer_->OnEvent("bars", bars);
    CROQ_TRY(journal_->SetFact("bars", bars));
  }
  evaluator_ = std::make_unique<tune::MeasuredEvaluator>(
      *setup_.runner, bars_.problem.empty(), bars_.heuristic_ms > 0);
  return {};
}

}  // namespace croq::cli
