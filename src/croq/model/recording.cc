#include "croq/model/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "croq/base/files.h"

namespace croq {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "croq-recording";
constexpr int kVersion = 1;
constexpr double kTenthsOfMicros = 1e4;

/// Divided by a whole number, so that the nearest double prints in few digits.
double Rounded(double ms, double places) { return std::round(ms * places) / places; }

json ValueJson(const LeverValue& value) {
  return std::visit([](const auto& one) { return json(one); }, value);
}

Result<LeverValue> ReadValue(const json& value) {
  if (value.is_number_integer()) return LeverValue(value.get<std::int64_t>());
  if (value.is_string()) return LeverValue(value.get<std::string>());
  return Failure(fmt::format("{} is no value of a lever", value.dump()));
}

json DeviceJson(const DeviceFacts& device) {
  return {{"key", device.key},
          {"name", device.name},
          {"compute_capability", device.compute_capability},
          {"sm_count", device.sm_count},
          {"shared_bytes_per_block", device.shared_bytes_per_block},
          {"shared_bytes_per_sm", device.shared_bytes_per_sm},
          {"registers_per_sm", device.registers_per_sm},
          {"l2_bytes", device.l2_bytes},
          {"memory_bytes", device.memory_bytes},
          {"peak_tflops_f16", device.peak_tflops_f16},
          {"peak_tflops_tf32", device.peak_tflops_tf32},
          {"peak_tflops_f32", device.peak_tflops_f32},
          {"memory_gb_per_s", device.memory_gb_per_s},
          {"driver_version", device.driver_version}};
}

DeviceFacts ReadDevice(const json& from) {
  DeviceFacts device;
  from.at("key").get_to(device.key);
  from.at("name").get_to(device.name);
  from.at("compute_capability").get_to(device.compute_capability);
  from.at("sm_count").get_to(device.sm_count);
  from.at("shared_bytes_per_block").get_to(device.shared_bytes_per_block);
  from.at("shared_bytes_per_sm").get_to(device.shared_bytes_per_sm);
  from.at("registers_per_sm").get_to(device.registers_per_sm);
  from.at("l2_bytes").get_to(device.l2_bytes);
  from.at("memory_bytes").get_to(device.memory_bytes);
  from.at("peak_tflops_f16").get_to(device.peak_tflops_f16);
  from.at("peak_tflops_tf32").get_to(device.peak_tflops_tf32);
  from.at("peak_tflops_f32").get_to(device.peak_tflops_f32);
  from.at("memory_gb_per_s").get_to(device.memory_gb_per_s);
  from.at("driver_version").get_to(device.driver_version);
  return device;
}

json SpaceJson(const std::vector<VariantSpace>& space) {
  json variants = json::array();
  for (const VariantSpace& variant : space) {
    json levers = json::array();
    for (const Lever& lever : variant.levers) {
      json values = json::array();
      for (const LeverValue& value : lever.values) values.push_back(ValueJson(value));
      levers.push_back({lever.name, std::move(values)});
    }
    variants.push_back({{"variant", variant.variant}, {"levers", std::move(levers)}});
  }
  return variants;
}

Result<std::vector<VariantSpace>> ReadSpace(const json& from) {
  std::vector<VariantSpace> space;
  for (const json& one : from) {
    VariantSpace variant{one.at("variant").get<std::string>(), {}};
    for (const json& pair : one.at("levers")) {
      Lever lever{pair.at(0).get<std::string>(), {}};
      for (const json& value : pair.at(1)) {
        CROQ_ASSIGN(LeverValue read, ReadValue(value));
        lever.values.push_back(std::move(read));
      }
      variant.levers.push_back(std::move(lever));
    }
    space.push_back(std::move(variant));
  }
  return space;
}

/// [variant's place, each lever's value's place, ...].
Result<json> PlacesJson(const std::vector<VariantSpace>& space, const Config& config) {
  const auto outside = Failure(fmt::format("{} is not of the recording's space", config.Text()));
  const auto variant = std::ranges::find(space, config.variant, &VariantSpace::variant);
  if (variant == space.end()) return outside;
  json places{variant - space.begin()};
  for (const Lever& lever : variant->levers) {
    const auto value = config.values.find(lever.name);
    if (value == config.values.end()) return outside;
    const auto at = std::ranges::find(lever.values, value->second);
    if (at == lever.values.end()) return outside;
    places.push_back(at - lever.values.begin());
  }
  return places;
}

Config ReadPlaces(const std::vector<VariantSpace>& space, const json& places) {
  const VariantSpace& variant = space.at(places.at(0).get<std::size_t>());
  Config config;
  config.variant = variant.variant;
  for (std::size_t i = 0; i < variant.levers.size(); ++i) {
    const Lever& lever = variant.levers[i];
    config.values[lever.name] = lever.values.at(places.at(i + 1).get<std::size_t>());
  }
  return config;
}

json HeaderJson(const Recording& recording) {
  return {{"format", kFormat},
          {"version", kVersion},
          {"shape_key", recording.shape.text},
          {"device", DeviceJson(recording.device)},
          {"triton", recording.triton},
          {"date", recording.date},
          {"cublas_ms", Rounded(recording.cublas_ms, kTenthsOfMicros)},
          {"cublas_lt_ms", Rounded(recording.cublas_lt_ms, kTenthsOfMicros)},
          {"workers", recording.workers},
          {"whole", recording.whole},
          {"trials", recording.trials.size()},
          {"space", SpaceJson(recording.space)},
          {"row", {"places", "outcome", "time_ms", "compile_ms", "measure_ms"}}};
}

Result<Recording> ReadHeader(const json& header) {
  if (header.value("format", "") != kFormat)
    return Failure(fmt::format("it does not begin with a header of format {}", kFormat));
  if (const int version = header.value("version", 0); version != kVersion) {
    return Failure(fmt::format("it is of version {}, this croq reads version {}", version, kVersion));
  }
  Recording recording;
  CROQ_ASSIGN(recording.shape, ParseShapeKey(header.at("shape_key").get<std::string>()));
  recording.device = ReadDevice(header.at("device"));
  header.at("triton").get_to(recording.triton);
  header.at("date").get_to(recording.date);
  header.at("cublas_ms").get_to(recording.cublas_ms);
  recording.cublas_lt_ms = header.value("cublas_lt_ms", 0.0);
  recording.workers = header.value("workers", 0);
  header.at("whole").get_to(recording.whole);
  CROQ_ASSIGN(recording.space, ReadSpace(header.at("space")));
  return recording;
}

Result<RecordedTrial> ReadRow(const Recording& recording, const json& row) {
  RecordedTrial trial;
  trial.config = ReadPlaces(recording.space, row.at(0));
  const std::optional<Outcome> outcome = ParseOutcome(row.at(1).get<std::string>());
  if (!outcome) return Failure(fmt::format("{} is no outcome", row.at(1).dump()));
  trial.outcome = *outcome;
  row.at(2).get_to(trial.time_ms);
  row.at(3).get_to(trial.compile_ms);
  row.at(4).get_to(trial.measure_ms);
  if (trial.outcome == Outcome::kCorrect && !(trial.time_ms > 0))
    return Failure("a correct trial has no time");
  return trial;
}

/// nlohmann's exceptions end here.
template <typename Read>
auto Guarded(const Read& read) -> decltype(read()) {
  try {
    return read();
  } catch (const std::exception& problem) {
    return Failure(problem.what());
  }
}

}  // namespace

double Recording::BestMs() const {
  double best = 0;
  for (const RecordedTrial& trial : trials) {
    if (trial.outcome == Outcome::kCorrect && (best == 0 || trial.time_ms < best))
      best = trial.time_ms;
  }
  return best;
}

Status WriteRecording(const std::filesystem::path& path, const Recording& recording) {
  std::string text = HeaderJson(recording).dump() + '\n';
  for (const RecordedTrial& trial : recording.trials) {
    CROQ_ASSIGN(json places, PlacesJson(recording.space, trial.config));
    const json row{std::move(places), NameOf(trial.outcome), Rounded(trial.time_ms, kTenthsOfMicros),
                   Rounded(trial.compile_ms, 10), Rounded(trial.measure_ms, 10)};
    text += row.dump() + '\n';
  }
  return WriteFileAtomic(path, text);
}

Result<Recording> ReadRecording(const std::filesystem::path& path) {
  const Result<std::string> read = ReadFile(path);
  if (!read) return UsageFailure(fmt::format("recording {}: {}", path.string(), read.error().message));
  Result<Recording> recording = Recording{};
  std::size_t line = 0;
  std::size_t announced = 0;
  std::unordered_map<std::string, std::size_t> lines;  // by configuration
  std::string_view rest = *read;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++line;
    const Status taken = Guarded([&]() -> Status {
      const json row = json::parse(text);
      if (line == 1) {
        CROQ_ASSIGN(recording, ReadHeader(row));
        row.at("trials").get_to(announced);
        return {};
      }
      CROQ_ASSIGN(RecordedTrial trial, ReadRow(*recording, row));
      const auto [first, is_new] = lines.emplace(trial.config.Text(), line);
      if (!is_new) return Failure(fmt::format("the configuration of line {} again", first->second));
      recording->trials.push_back(std::move(trial));
      return {};
    });
    if (!taken) {
      return UsageFailure(fmt::format("recording {}:{}: {} (docs/recordings.md has the format)",
                                      path.string(), line, taken.error().message));
    }
  }
  if (line == 0) return UsageFailure(fmt::format("recording {}: it is empty", path.string()));
  if (announced != recording->trials.size()) {
    return UsageFailure(fmt::format("recording {}: its header says {} trials and {} follow: it was "
                                    "cut or joined; record it again", path.string(), announced,
                                    recording->trials.size()));
  }
  return recording;
}

RecordedTrials::RecordedTrials(const Recording& recording) : recording_(recording) {
  for (std::size_t i = 0; i < recording.trials.size(); ++i)
    places_.emplace(recording.trials[i].config.Text(), i);
}

const RecordedTrial* RecordedTrials::Find(const Config& config) const {
  const auto found = places_.find(config.Text());
  return found == places_.end() ? nullptr : &recording_.trials[found->second];
}

SearchSpace SpaceOf(const Recording& recording) {
  const auto trials = std::make_shared<RecordedTrials>(recording);
  return {recording.space, [trials](const Config& config) -> std::optional<std::string> {
            if (trials->Find(config) != nullptr) return std::nullopt;
            return "it was not recorded";
          }};
}

}  // namespace croq
