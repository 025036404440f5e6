#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "croq/profile/metrics.h"

namespace croq::profile {
namespace {

using MetricMap = std::map<std::string, Metric, std::less<>>;

Metric Missing(std::string unit, std::string why) {
  return {std::nullopt, std::move(unit), "", "", std::move(why)};
}

/// `(64, 32, 1)` -> 2048.
std::optional<double> Product(std::string_view triple) {
  double product = 1;
  int numbers = 0;
  const char* at = triple.data();
  const char* const end = at + triple.size();
  while (at != end) {
    std::uint64_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error == std::errc()) {
      product *= static_cast<double>(value);
      ++numbers;
      at = next;
    } else {
      ++at;
    }
  }
  return numbers == 3 && product > 0 ? std::optional(product) : std::nullopt;
}

/// Where the launch's own columns say what no metric does.
void FillFromColumn(MetricMap& metrics, const char* name, std::string_view triple,
                    const char* column) {
  Metric& metric = metrics[name];
  if (metric.value)
    return;
  if (const auto product = Product(triple)) {
    metric.value = *product;
    metric.id = column;
    metric.why.clear();
  }
}

std::vector<const Metric*> Gather(const MetricMap& metrics,
                                  std::span<const std::string_view> names) {
  std::vector<const Metric*> found;
  for (const std::string_view name : names) found.push_back(&metrics.find(name)->second);
  return found;
}

const Metric* FirstMissing(std::span<const Metric* const> parts) {
  for (const Metric* part : parts) {
    if (!part->value)
      return part;
  }
  return nullptr;
}

constexpr std::array<std::string_view, 5> kLimits{"limit_registers", "limit_shared_mem",
                                                  "limit_warps", "limit_blocks", "limit_barriers"};

/// The blocks that an SM holds at once. Barriers are limited since Hopper only.
Metric BlocksPerSm(const MetricMap& metrics) {
  Metric result = Missing("blocks/SM", "");
  for (const std::string_view name : kLimits) {
    const Metric& limit = metrics.find(name)->second;
    if (!limit.value && name != "limit_barriers")
      return Missing("blocks/SM", limit.why);
    if (limit.value && (!result.value || *limit.value < *result.value))
      result.value = *limit.value;
  }
  result.id = "min over launch__occupancy_limit_*";
  if (*result.value >= 1)
    return result;
  return Missing("blocks/SM", "a block limit below 1");
}

/// Printed with two decimals only, so it is computed: grid / (SMs x blocks an SM holds).
Metric Waves(const MetricMap& metrics) {
  const auto parts =
      Gather(metrics, std::array<std::string_view, 3>{"grid_size", "sm_count", "blocks_per_sm"});
  if (const Metric* missing = FirstMissing(parts)) {
    const Metric& printed = metrics.find("waves_printed")->second;
    return printed.value ? printed : Missing("waves", missing->why);
  }
  if (*parts[1]->value < 1)
    return Missing("waves", "an SM count below 1");
  return {*parts[0]->value / (*parts[1]->value * *parts[2]->value), "waves",
          fmt::format("{} / ({} x {})", parts[0]->id, parts[1]->id, parts[2]->id), "", ""};
}

/// above / below x scale.
Metric Ratio(const MetricMap& metrics, std::string_view above, std::string_view below, double scale,
             const char* unit) {
  const auto parts = Gather(metrics, std::array<std::string_view, 2>{above, below});
  if (const Metric* missing = FirstMissing(parts))
    return Missing(unit, missing->why);
  const double part = *parts[0]->value;
  const double whole = *parts[1]->value;
  if (whole <= 0 && part != 0)
    return Missing(unit, fmt::format("{} is 0", parts[1]->id));
  return {whole > 0 ? part / whole * scale : 0, unit,
          fmt::format("{} / {}", parts[0]->id, parts[1]->id), "", ""};
}

Metric Sum(const MetricMap& metrics, std::string_view one, std::string_view other) {
  const auto parts = Gather(metrics, std::array<std::string_view, 2>{one, other});
  if (const Metric* missing = FirstMissing(parts))
    return Missing(parts[0]->unit, missing->why);
  return {*parts[0]->value + *parts[1]->value, parts[0]->unit,
          fmt::format("{} + {}", parts[0]->id, parts[1]->id), "", ""};
}

Metric DramBytes(const MetricMap& metrics) {
  constexpr double kNsPerSecond = 1e9;
  Metric sum = Sum(metrics, "dram_bytes_read", "dram_bytes_written");
  if (sum.value)
    return sum;
  const auto parts =
      Gather(metrics, std::array<std::string_view, 2>{"dram_bytes_per_second", "duration_ns"});
  if (FirstMissing(parts) != nullptr)
    return sum;
  return {*parts[0]->value * *parts[1]->value / kNsPerSecond, "byte",
          fmt::format("{} x {}", parts[0]->id, parts[1]->id), "", ""};
}

/// The L1's share over the elapsed cycles, where only that over its active ones was collected.
void FillL1(MetricMap& metrics) {
  Metric& l1 = metrics["l1_pct"];
  if (l1.value)
    return;
  Metric& elapsed = metrics["l1_cycles_elapsed"];
  if (!elapsed.value) {
    const Metric mean = Ratio(metrics, "l1_cycles_elapsed_total", "sm_count", 1, "cycles");
    if (!mean.value)
      return;
    elapsed = mean;
  }
  const Metric active = Ratio(metrics, "l1_cycles_active", "l1_cycles_elapsed", 1, "");
  const Metric& share = metrics["l1_active_pct"];
  if (active.value && share.value)
    l1 = {*share.value * *active.value, "%", fmt::format("{} x {}", share.id, active.id), "", ""};
}

/// Operations of the tensor pipes, one multiply-add being two. Ids without `op_` count every kind
/// of instruction.
Metric TensorOperations(const ReadingIndex& readings, DecimalMark mark) {
  constexpr std::array<std::string_view, 7> kIds{"sm__ops_path_tensor_src_fp16.sum",
                                                 "sm__ops_path_tensor_src_bf16_dst_fp32.sum",
                                                 "sm__ops_path_tensor_src_tf32_dst_fp32.sum",
                                                 "sm__ops_path_tensor_src_fp64.sum",
                                                 "sm__ops_path_tensor_src_fp8_sparsity_off.sum",
                                                 "sm__ops_path_tensor_src_fp8_sparsity_on.sum",
                                                 "sm__ops_path_tensor_src_int8.sum"};
  double total = 0;
  std::vector<std::string_view> used;
  bool any = false;
  for (const std::string_view id : kIds) {
    for (const Reading* reading : readings.Find(id)) {
      const CellNumber number = ParseNumber(reading->value, mark);
      any = any || number.ok;
      if (number.ok && number.value > 0) {
        total += number.value;
        used.push_back(id);
      }
      break;
    }
  }
  if (!any)
    return Missing("operations", "sm__ops_path_tensor_src_* are not in the export");
  return {
      total, "operations",
      used.empty() ? "sm__ops_path_tensor_src_*.sum" : fmt::format("{}", fmt::join(used, " + ")),
      "", ""};
}

Metric ReadFigure(std::string_view id, const ReadingIndex& readings, DecimalMark mark) {
  const MetricSpec spec{"", Dimension::kOther, "", std::span(&id, 1), {}};
  return LookUp(spec, readings, mark);
}

/// Shares of a warp's latency between two instructions; sampled shares where that is missing.
void ReadStalls(const ReadingIndex& readings, DecimalMark mark, LaunchMetrics& result) {
  constexpr std::string_view kLatency = "smsp__average_warp_latency_per_inst_issued.ratio";
  constexpr std::string_view kOldLatency = "smsp__average_warps_active_per_issue_active.ratio";
  constexpr std::string_view kSamples = "smsp__pcsamp_sample_count";
  Metric whole = ReadFigure(kLatency, readings, mark);
  if (!whole.value)
    whole = ReadFigure(kOldLatency, readings, mark);
  const bool sampled = !whole.value || *whole.value <= 0;
  if (sampled)
    whole = ReadFigure(kSamples, readings, mark);
  if (!whole.value || *whole.value <= 0) {
    result.no_stalls = fmt::format(
        "neither {} nor {} is in the export; details pages and --set basic have no stalls",
        kLatency, kSamples);
    return;
  }
  for (std::string_view reason : StallReasons()) {
    std::string id =
        fmt::format("smsp__average_warps_issue_stalled_{}_per_issue_active.ratio", reason);
    if (sampled) {  // two reasons have other names there
      const std::string_view name = reason == "no_instruction" ? "no_instructions"
                                    : reason == "gmma"         ? "warpgroup_arrive"
                                                               : reason;
      id = fmt::format("smsp__pcsamp_warps_issue_stalled_{}", name);
    }
    const Metric part = ReadFigure(id, readings, mark);
    if (!part.value || reason == "selected" || reason == "not_selected")
      continue;
    result.stalls.push_back({std::string(reason), *part.value / *whole.value * 100,
                             fmt::format("{} / {}", id, whole.id)});
  }
  std::ranges::stable_sort(result.stalls, std::greater<>(), &Stall::share);
  if (result.stalls.empty())
    result.no_stalls = "no stall reason is in the export";
}

}  // namespace

LaunchMetrics ReadMetrics(const Export& exported, const Launch& launch) {
  const std::vector<Reading> list = exported.ReadingsOf(launch);
  const ReadingIndex readings(list);
  LaunchMetrics result;
  MetricMap& metrics = result.metrics;
  for (const MetricSpec& spec : Catalog()) {
    metrics.emplace(spec.name, LookUp(spec, readings, exported.mark));
  }
  FillFromColumn(metrics, "grid_size", launch.grid, "column Grid Size");
  FillFromColumn(metrics, "block_size", launch.block, "column Block Size");
  metrics["blocks_per_sm"] = BlocksPerSm(metrics);
  metrics["waves"] = Waves(metrics);
  metrics["sm_active_pct"] = Ratio(metrics, "sm_cycles_active", "sm_cycles_elapsed", 100, "%");
  metrics["dram_bytes"] = DramBytes(metrics);
  metrics["tensor_operations"] = TensorOperations(readings, exported.mark);
  metrics["conflict_pct"] = Ratio(metrics, "bank_conflicts", "shared_wavefronts", 100, "%");
  metrics["excess_sector_pct"] =
      Ratio(metrics, "global_sectors_excessive", "global_sectors", 100, "%");
  FillL1(metrics);
  ReadStalls(readings, exported.mark, result);
  return result;
}

}  // namespace croq::profile
