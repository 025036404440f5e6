#include "unit/search/recorded_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

namespace croq::search {
namespace {

/// [kind, BM, BN, BK, GROUP_M, num_warps, num_stages, persistent, warp_specialize, flatten, parts]
Config ReadConfig(const nlohmann::json& row) {
  const auto number = [&](std::size_t place) { return row.at(place).get<std::int64_t>(); };
  const bool persistent = number(7) != 0;
  Config config;
  config.variant = persistent ? "persistent" : row.at(0) == "tma" ? "descriptor" : "tiled";
  config.values = {{"BLOCK_M", number(1)}, {"BLOCK_N", number(2)},   {"BLOCK_K", number(3)},
                   {"GROUP_M", number(4)}, {"num_warps", number(5)}, {"num_stages", number(6)}};
  if (persistent) {
    config.values["FLATTEN"] = number(9);
    config.values["EPILOGUE_SPLIT"] = number(10);
  }
  return config;
}

RecordedShape ReadShape(const nlohmann::json& entry) {
  RecordedShape recorded;
  const std::string text =
      fmt::format("{}_f16fp32_{}x{}x{}", entry.at("lay") == "nt" ? "matmul_nt" : "matmul",
                  entry.at("M").get<int>(), entry.at("N").get<int>(), entry.at("K").get<int>());
  recorded.shape = ParseShapeKey(text).value();
  const bool host_bound = recorded.shape.m == 1024;
  for (const nlohmann::json& row : entry.at("results")) {
    RecordedTime time;
    time.config = ReadConfig(row.at(2));
    if (host_bound && time.config.variant != "tiled")
      continue;
    time.time_ms = row.at(0).get<double>();
    time.built.registers = row.at(3).get<int>();
    time.built.local_bytes = row.at(4).get<int>();
    time.built.shared_bytes = row.at(5).get<std::int64_t>();
    recorded.times.push_back(std::move(time));
  }
  std::sort(recorded.times.begin(), recorded.times.end(),
            [](const RecordedTime& a, const RecordedTime& b) { return a.time_ms < b.time_ms; });
  return recorded;
}

std::vector<double> Ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    ranks[order[rank]] = static_cast<double>(rank);
  }
  return ranks;
}

}  // namespace

std::optional<std::vector<RecordedShape>> ReadRecordedSweep() {
  std::ifstream in(std::filesystem::path(CROQ_SOURCE_DIR) / "../shared/data/h200-sweep.json");
  if (!in)
    return std::nullopt;
  std::vector<RecordedShape> sweep;
  for (const nlohmann::json& entry : nlohmann::json::parse(in)) sweep.push_back(ReadShape(entry));
  return sweep;
}

DeviceFacts RecordedDevice() {
  DeviceFacts device;
  device.name = "NVIDIA H200";
  device.compute_capability = 90;
  device.sm_count = 132;
  device.shared_bytes_per_block = 232448;
  device.shared_bytes_per_sm = 233472;
  device.l2_bytes = 62914560;
  device.peak_tflops_f16 = 989.4;
  device.peak_tflops_tf32 = 494.7;
  device.peak_tflops_f32 = 66.9;
  device.memory_gb_per_s = 4000;
  return device;
}

SearchSpace SpaceOf(const RecordedShape& recorded) {
  std::map<std::string, std::map<std::string, std::set<std::int64_t>>> variants;
  const auto texts = std::make_shared<std::set<std::string>>();
  for (const RecordedTime& time : recorded.times) {
    texts->insert(time.config.Text());
    for (const auto& [lever, value] : time.config.values) {
      variants[time.config.variant][lever].insert(std::get<std::int64_t>(value));
    }
  }
  SearchSpace space;
  for (const auto& [variant, levers] : variants) {
    VariantSpace one{variant, {}};
    for (const auto& [lever, values] : levers) {
      one.levers.push_back({lever, {values.begin(), values.end()}});
    }
    space.variants.push_back(std::move(one));
  }
  space.reject = [texts](const Config& config) -> std::optional<std::string> {
    if (texts->contains(config.Text()))
      return std::nullopt;
    return "not recorded";
  };
  return space;
}

double RankCorrelation(const std::vector<double>& one, const std::vector<double>& other) {
  const std::vector<double> a = Ranks(one);
  const std::vector<double> b = Ranks(other);
  const double mean = 0.5 * static_cast<double>(a.size() - 1);
  double product = 0;
  double square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += (a[i] - mean) * (b[i] - mean);
    square += (a[i] - mean) * (a[i] - mean);
  }
  return product / square;
}

}  // namespace croq::search
