#include "croq/profile/evidence.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace croq::profile {
namespace {

constexpr double kInPercent = 100;

struct Limit {
  const char* metric;
  const char* name;
};
constexpr std::array<Limit, 5> kLimits{{{"limit_registers", "registers"},
                                        {"limit_shared_mem", "shared_mem"},
                                        {"limit_warps", "warps"},
                                        {"limit_blocks", "blocks"},
                                        {"limit_barriers", "barriers"}}};

void SetLimiters(const LaunchMetrics& metrics, Evidence& evidence) {
  const Metric& least = metrics["blocks_per_sm"];
  if (!least.value) {
    evidence.no_limiter = least.why;
    return;
  }
  for (const Limit& limit : kLimits) {
    if (metrics.Value(limit.metric) == least.value)
      evidence.limiters.emplace_back(limit.name);
  }
}

/// NVIDIA's tail effect (LaunchConfiguration): a last wave that is part-filled may cost as much as
/// a full one, 1 / (1 + full waves) of the time.
void SetTail(const contract::ClassifyRule& rule, const LaunchMetrics& metrics, Evidence& evidence) {
  const auto waves = metrics.Value("waves");
  if (!waves || *waves < rule.full_wave)
    return;
  const double full = std::floor(*waves);
  const double cost = kInPercent / (1 + full);
  if (*waves > full && cost >= rule.tail)
    evidence.tail = cost;
}

void SetRoofline(const LaunchMetrics& metrics, const Ceilings& ceilings, Evidence& evidence) {
  const Metric& bytes = metrics["dram_bytes"];
  const Metric& duration = metrics["duration_ns"];
  if (!ceilings.copy_gb_per_s || *ceilings.copy_gb_per_s <= 0) {
    evidence.no_roofline = "the device's copy rate was not measured here";
    return;
  }
  if (!bytes.value || !duration.value || *duration.value <= 0) {
    evidence.no_roofline = bytes.value ? "duration: " + duration.why : "DRAM bytes: " + bytes.why;
    return;
  }
  Roofline roof;
  roof.gb_per_s = *bytes.value / *duration.value;  // bytes a ns are GB a second
  roof.copy_share = roof.gb_per_s / *ceilings.copy_gb_per_s * kInPercent;
  roof.ids = fmt::format("({}) / {}", bytes.id, duration.id);
  const Metric& counted = metrics["tensor_operations"];
  const auto operations = ceilings.operations ? ceilings.operations : counted.value;
  if (operations && *operations > 0) {
    constexpr double kPerTera = 1e-3;  // operations a ns are thousandths of a TFLOPS
    roof.tflops = *operations / *duration.value * kPerTera;
    if (!ceilings.operations)
      roof.ids += ", " + counted.id;
    if (*bytes.value > 0)
      roof.intensity = *operations / *bytes.value;
    if (ceilings.matmul_tflops && *ceilings.matmul_tflops > 0) {
      roof.matmul_share = *roof.tflops / *ceilings.matmul_tflops * kInPercent;
      roof.ridge = *ceilings.matmul_tflops / *ceilings.copy_gb_per_s / kPerTera;
    }
  }
  evidence.roofline = roof;
}

}  // namespace

Evidence Gather(const contract::ClassifyRule& rule, const LaunchMetrics& metrics,
                const Ceilings& ceilings) {
  Evidence evidence;
  SetLimiters(metrics, evidence);
  SetTail(rule, metrics, evidence);
  evidence.spills = metrics.Value("spill_requests").value_or(0) > 0;
  evidence.conflicts = metrics.Value("conflict_pct").value_or(0) > rule.conflicts;
  SetRoofline(metrics, ceilings, evidence);
  return evidence;
}

}  // namespace croq::profile
