#include "croq/model/kernel_tuner_cache.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace croq {
namespace {

using nlohmann::json;

constexpr const char* kVariant = "variant";
const LeverValue kLacking = std::int64_t{0};

json AsJson(const LeverValue& value) {
  return std::visit([](const auto& one) { return json(one); }, value);
}

std::map<std::string, std::set<LeverValue>> ParametersOf(const Recording& recording) {
  std::map<std::string, std::set<LeverValue>> parameters;
  for (const VariantSpace& variant : recording.space) {
    parameters[kVariant].insert(variant.variant);
    for (const Lever& lever : variant.levers)
      parameters[lever.name].insert(lever.values.begin(), lever.values.end());
  }
  for (const VariantSpace& variant : recording.space) {
    std::set<std::string> own{kVariant};
    for (const Lever& lever : variant.levers) own.insert(lever.name);
    for (auto& [name, values] : parameters) {
      if (!own.contains(name)) values.insert(kLacking);
    }
  }
  return parameters;
}

LeverValue ValueOf(const Config& config, const std::string& parameter) {
  if (parameter == kVariant) return config.variant;
  const auto at = config.values.find(parameter);
  return at == config.values.end() ? kLacking : at->second;
}

json EntryOf(const Recording& recording, const RecordedTrial& trial) {
  json entry{{"compile_time", trial.compile_ms},
             {"verification_time", 0},
             {"benchmark_time", trial.measure_ms},
             {"strategy_time", 0},
             {"framework_time", 0},
             {"timestamp", recording.date + "T00:00:00+00:00"}};
  if (trial.outcome == Outcome::kCorrect) {
    entry["time"] = trial.time_ms;
    entry["times"] = {trial.time_ms};
  } else {
    entry["time"] = trial.outcome == Outcome::kCompile ? "CompilationFailedConfig"
                                                       : "RuntimeFailedConfig";
  }
  return entry;
}

}  // namespace

std::string KernelTunerCache(const Recording& recording) {
  const auto parameters = ParametersOf(recording);
  json keys = json::array();
  json values = json::object();
  for (const auto& [name, all] : parameters) {
    keys.push_back(name);
    for (const LeverValue& value : all) values[name].push_back(AsJson(value));
  }
  json cache = json::object();
  for (const RecordedTrial& trial : recording.trials) {
    json entry = EntryOf(recording, trial);
    std::string key;
    for (const auto& [name, all] : parameters) {
      const LeverValue value = ValueOf(trial.config, name);
      entry[name] = AsJson(value);
      key += (key.empty() ? "" : ",") + ToText(value);
    }
    cache[key] = std::move(entry);
  }
  const json file{{"schema_version", "1.0.0"},
                  {"device_name", recording.device.name},
                  {"kernel_name", recording.shape.text},
                  {"problem_size", fmt::format("{}x{}x{}", recording.shape.m, recording.shape.n,
                                               recording.shape.k)},
                  {"tune_params_keys", keys},
                  {"tune_params", values},
                  {"objective", "time"},
                  {"cache", cache}};
  return file.dump() + '\n';
}

}  // namespace croq
