#include "croq/tune/events.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace croq::tune {
namespace {

/// JSON has no infinity: an interval without an end is null there.
nlohmann::json Finite(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

}  // namespace

nlohmann::json ToJson(const Ratio& ratio) {
  return {{"value", Finite(ratio.value)}, {"low", Finite(ratio.low)}, {"high", Finite(ratio.high)}};
}

nlohmann::json ToJson(const Iteration& iteration, Operator op) {
  nlohmann::json json{{"iteration", iteration.Name()},
                      {"number", iteration.number},
                      {"round", iteration.round},
                      {"config", iteration.config},
                      {"decision", NameOf(iteration.decision)},
                      {"idea", iteration.idea},
                      {"verified", iteration.verified},
                      {"max_abs_err", Finite(iteration.max_abs_err)},
                      {"tflops_contract", iteration.tflops},
                      {"time_ms_contract", iteration.time_ms},
                      {"time_ms_cold", iteration.cold_ms},
                      {"registers", iteration.build.registers},
                      {"local_bytes", iteration.build.local_bytes},
                      {"shared_bytes", iteration.build.shared_bytes},
                      {"predicted", iteration.predicted}};
  if (iteration.ratio > 0) {
    json[op == Operator::kBrought ? "ratio_first" : "ratio_cublas"] =
         ToJson(Ratio{iteration.ratio, iteration.ratio_low, iteration.ratio_high});
  }
  if (iteration.best_ratio > 0) json["ratio_best_before"] = iteration.best_ratio;
  if (iteration.script_tflops > 0) json["script_tflops"] = iteration.script_tflops;
  return json;
}

nlohmann::json ToJson(const Attempt& attempt) {
  return {{"attempt", attempt.Name()},       {"config", attempt.config},
          {"outcome", NameOf(attempt.outcome)}, {"reason", attempt.reason},
          {"log", attempt.log},              {"tries", attempt.tries}};
}

}  // namespace croq::tune
