#include <algorithm>
#include <cmath>

#include "croq/profile/kernel_profile.h"

namespace croq::profile {
namespace {

constexpr const char* kWorkedOut = "worked out";
constexpr const char* kCubin = "cubin";
constexpr double kThreadsPerWarp = 32;
// With this share of the roofline's time a kernel is said to be bound by it; below, by its waits.
constexpr double kNearRoofline = 60;
// As ncu's rule for a small grid: less than one wave, and a quarter of the SMs without work.
constexpr double kIdleShare = 25;

std::int64_t CeilDivide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

void SetMissing(KernelProfile& evidence, const char* name, double value, const char* metric) {
  if (evidence.Find(name) == nullptr)
    evidence.Set(name, value, metric);
}

void AddTiles(KernelProfile& evidence, const BaseFacts& facts) {
  const std::int64_t block_m = facts.config.IntOr("BLOCK_M", 0);
  const std::int64_t block_n = facts.config.IntOr("BLOCK_N", 0);
  const std::int64_t block_k = facts.config.IntOr("BLOCK_K", 0);
  if (block_m <= 0 || block_n <= 0 || block_k <= 0 || facts.shape.m <= 0)
    return;
  const std::int64_t ctas = std::max<std::int64_t>(1, facts.config.IntOr("num_ctas", 1));
  const std::int64_t parts = std::max<std::int64_t>(1, facts.config.IntOr("SPLIT_K", 1));
  const std::int64_t rows = CeilDivide(facts.shape.m, block_m);
  const double tiles =
      static_cast<double>(rows * CeilDivide(facts.shape.n, block_n)) * static_cast<double>(parts);
  const auto warps =
      static_cast<double>(std::max<std::int64_t>(1, facts.config.IntOr("num_warps", 4)));
  evidence.Set("tile_rows", static_cast<double>(rows), kWorkedOut);
  evidence.Set("tiles", tiles, kWorkedOut);
  const std::int64_t depth = CeilDivide(facts.shape.k, parts);
  evidence.Set("k_steps", static_cast<double>(CeilDivide(depth, block_k)), kWorkedOut);
  evidence.Set("accumulators",
               static_cast<double>(block_m * block_n) /
                   (kThreadsPerWarp * warps * static_cast<double>(ctas)),
               kWorkedOut);
  if (facts.device.sm_count <= 0)
    return;
  const double per_sm = tiles / facts.device.sm_count;
  evidence.Set("tiles_per_sm", per_sm, kWorkedOut);
  // Tiles come in whole turns of all SMs; what the last turn leaves empty is lost.
  SetMissing(evidence, "tail_pct", 100 * (1 - per_sm / std::ceil(per_sm)), kWorkedOut);
}

void AddShared(KernelProfile& evidence, const BaseFacts& facts) {
  if (facts.build.registers <= 0)
    return;
  SetMissing(evidence, "registers", facts.build.registers, kCubin);
  SetMissing(evidence, "spill_bytes", facts.build.local_bytes, kCubin);
  SetMissing(evidence, "shared_bytes", static_cast<double>(facts.build.shared_bytes), kCubin);
  const std::int64_t stages = facts.config.IntOr("num_stages", 0);
  const std::int64_t block_k = facts.config.IntOr("BLOCK_K", 0);
  if (stages <= 0 || block_k <= 0 || facts.device.shared_bytes_per_block <= 0)
    return;
  // A stage holds a step of A and one of B.
  const std::int64_t stage = (facts.config.IntOr("BLOCK_M", 0) + facts.config.IntOr("BLOCK_N", 0)) *
                             block_k * FactsOf(facts.shape.dtype).operand.bytes;
  const std::int64_t left = facts.device.shared_bytes_per_block - facts.build.shared_bytes;
  if (stage > 0)
    evidence.Set("stages_left", std::floor(static_cast<double>(left) / static_cast<double>(stage)),
                 kWorkedOut);
}

void AddMemory(KernelProfile& evidence, const BaseFacts& facts) {
  const double bytes = FactsOf(facts.shape.dtype).operand.bytes;
  const double operands = bytes * static_cast<double>(facts.shape.k) *
                          static_cast<double>(facts.shape.m + facts.shape.n);
  if (facts.device.l2_bytes > 0 && operands > 0) {
    evidence.Set("operands_of_l2_pct", 100 * operands / static_cast<double>(facts.device.l2_bytes),
                 kWorkedOut);
  }
  const Figure* moved = evidence.Find("dram_bytes");
  const double needed = facts.shape.CompulsoryBytes();
  if (moved != nullptr && moved->value > 0 && needed > 0) {
    evidence.Set("excess_bytes_pct", 100 * std::max(0.0, 1 - needed / moved->value),
                 moved->metric.c_str());
  }
}

/// What stands for the time that an idea may win back.
void AddComplements(KernelProfile& evidence) {
  const auto complement = [&](const char* from, const char* to) {
    const Figure* figure = evidence.Find(from);
    if (figure != nullptr)
      evidence.Set(to, std::clamp(100 - figure->value, 0.0, 100.0), figure->metric);
  };
  complement("tensor_pct", "tensor_idle_pct");
  complement("l2_hit_pct", "l2_miss_pct");
  complement("sm_active_pct", "idle_sm_pct");
}

}  // namespace

void AddBaseFigures(KernelProfile& evidence, const BaseFacts& facts) {
  AddTiles(evidence, facts);
  AddShared(evidence, facts);
  AddMemory(evidence, facts);
  AddComplements(evidence);
  const Figure* per_sm = evidence.Find("tiles_per_sm");
  if (per_sm != nullptr && evidence.Find("idle_sm_pct") == nullptr)
    evidence.Set("idle_sm_pct", 100 * std::max(0.0, 1 - per_sm->value), kWorkedOut);
  if (facts.time_ms > 0 && facts.floor_ms > 0)
    evidence.Set("roofline_pct", 100 * facts.floor_ms / facts.time_ms, kWorkedOut);
}

KernelProfile StaticProfile(const BaseFacts& facts, bool predicted) {
  KernelProfile evidence;
  evidence.is_static = true;
  evidence.predicted = predicted;
  evidence.confidence = "low";
  AddBaseFigures(evidence, facts);
  const auto value = [&](const char* name, double absent) {
    const Figure* figure = evidence.Find(name);
    return figure == nullptr ? absent : figure->value;
  };
  const double bytes = facts.shape.CompulsoryBytes();
  const double memory_ms =
      facts.device.memory_gb_per_s > 0 ? bytes / facts.device.memory_gb_per_s / 1e6 : 0;
  const bool memory_side = facts.floor_ms > 0 && memory_ms >= facts.floor_ms;
  if (value("idle_sm_pct", 0) >= kIdleShare) {
    evidence.bottleneck = "launch_bound";
  } else if (value("roofline_pct", 0) >= kNearRoofline) {
    evidence.bottleneck = memory_side ? "memory_bound" : "compute_bound";
  } else {
    evidence.bottleneck = "latency_bound";
    evidence.runner_up = memory_side ? "memory_bound" : "compute_bound";
  }
  if (evidence.bottleneck == "memory_bound")
    evidence.level = "dram";
  return evidence;
}

}  // namespace croq::profile
