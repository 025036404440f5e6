#include "croq/cli/tune_events.h"

#include <nlohmann/json.hpp>

#include "croq/model/measurement.h"
#include "croq/protocol/version.h"

namespace croq::cli {

nlohmann::json BudgetJson(const tune::Budget& budget) {
  return {{"rounds", budget.rounds}, {"trials", budget.trials}, {"seconds", budget.seconds},
          {"trials_without_gain", budget.trials_without_gain}};
}

nlohmann::json BarsJson(const ShapeKey& shape, const tune::Baseline& bars) {
  const double flops = shape.Flops();
  return {{"cublas_ms_cold", bars.cold_ms},
          {"cublas_tflops_cold", Tflops(flops, bars.cold_ms)},
          {"cublas_ms_contract", bars.contract_ms},
          {"kernel", bars.kernel},
          {"cublas_lt_best_ms_cold", bars.heuristic_ms},
          {"cublas_lt_best_tflops_cold", Tflops(flops, bars.heuristic_ms)},
          {"heuristics_tried", bars.heuristics_tried},
          {"heuristic", bars.heuristic}};
}

nlohmann::json StartedJson(const TuneSetup& setup, const SessionPaths& paths) {
  return {{"shape_key", paths.shape_key},
          {"device", setup.device.key},
          {"device_name", setup.device.name},
          {"device_argument", setup.resolved.argument},
          {"device_reason", setup.resolved.reason},
          {"profiler", setup.profiler.string()},
          {"budget", BudgetJson(setup.request.budget)},
          {"versions",
           {{"croq", protocol::kCroqVersion},
            {"python", setup.interpreter.python},
            {"triton", setup.interpreter.VersionOf("triton")},
            {"torch", setup.interpreter.VersionOf("torch")}}},
          {"predicted", !setup.device.measured},
          {"logs", paths.Logs().string()}};
}

}  // namespace croq::cli
