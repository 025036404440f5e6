#include "croq/profile/classify.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "croq/profile/refusal.h"

namespace croq::profile {
namespace {

using contract::ClassifyRule;

constexpr double kNsPerUs = 1e3;
constexpr double kUsPerMs = 1e3;

RuleOutcome BelowBoth(const ClassifyRule& rule, const RuleInputs& in) {
  const bool small = in.grid < in.sms;
  const bool idle = in.active_share && *in.active_share < rule.busy_share;
  // A grid smaller than the SM count is below one wave whatever an SM holds.
  const bool part_wave = in.waves ? *in.waves < rule.full_wave : small;
  if (part_wave && (small || idle)) {
    return {Bottleneck::kLaunch, "grid", small ? Confidence::kHigh : Confidence::kMedium};
  }
  if (in.duration_us && *in.duration_us < rule.short_us) {
    return {Bottleneck::kLaunch, "short",
            *in.duration_us < rule.unsteady_us ? Confidence::kLow : Confidence::kMedium};
  }
  if (in.wall_us && in.duration_us && *in.wall_us > rule.host_ratio * *in.duration_us)
    return {Bottleneck::kLaunch, "host", Confidence::kMedium};
  // Without waves or active share a part-filled device can't be told from a slow kernel.
  const bool blind = !in.waves || (*in.waves < rule.full_wave && !in.active_share);
  return {Bottleneck::kLatency, "", blind ? Confidence::kLow : Confidence::kMedium};
}

/// The rule's inputs changed a little, one at a time.
struct Nudge {
  const char* what;
  std::optional<double> RuleInputs::*optional;
  double RuleInputs::*plain;
  bool points;  ///< in points; else a share of the value
};

constexpr std::array<Nudge, 6> kNudges{{
    {"sm", nullptr, &RuleInputs::sm, true},
    {"memory", nullptr, &RuleInputs::memory, true},
    {"waves", &RuleInputs::waves, nullptr, false},
    {"active share", &RuleInputs::active_share, nullptr, false},
    {"duration", &RuleInputs::duration_us, nullptr, false},
    {"wall time", &RuleInputs::wall_us, nullptr, false},
}};

/// The smallest change, of at most `near`, that turns the verdict.
std::optional<RunnerUp> FindRunnerUp(const ClassifyRule& rule, const RuleInputs& inputs,
                                     Bottleneck verdict) {
  constexpr int kSteps = 8;
  for (int step = 1; step <= kSteps; ++step) {
    for (const Nudge& nudge : kNudges) {
      const double most = nudge.points ? rule.near : rule.near_share;
      for (const double sign : {-1.0, 1.0}) {
        const double change = sign * most * step / kSteps;
        RuleInputs changed = inputs;
        if (nudge.plain != nullptr) {
          changed.*nudge.plain += change;
        } else if (changed.*nudge.optional) {
          changed.*nudge.optional = *(inputs.*nudge.optional) * (1 + change);
        } else {
          continue;
        }
        const RuleOutcome outcome = ApplyRule(rule, changed);
        if (outcome.bottleneck == verdict)
          continue;
        const std::string by = nudge.points ? fmt::format("{:.2g} points", std::abs(change))
                                            : fmt::format("{:.2g}%", std::abs(change) * 100);
        return RunnerUp{outcome.bottleneck, fmt::format("{} {} by {} would turn it", nudge.what,
                                                        sign > 0 ? "higher" : "lower", by)};
      }
    }
  }
  return std::nullopt;
}

void SetLevel(const ClassifyRule& rule, const LaunchMetrics& metrics, double memory,
              Verdict& verdict) {
  const Metric& dram = metrics["dram_pct"];
  const Metric& l1 = metrics["l1_pct"];
  if (dram.value && *dram.value >= memory - rule.level) {
    verdict.level = Level::kDram;
  } else if (!dram.value) {
    verdict.no_level = "DRAM throughput: " + dram.why;
  } else if (!l1.value) {
    verdict.no_level = "L1 throughput: " + l1.why;
  } else {
    verdict.level = *l1.value >= memory - rule.level ? Level::kL1 : Level::kL2;
  }
}

tl::unexpected<Error> Lacking(const std::string& what, const std::string& why,
                              const char* sections) {
  return UsageFailure(fmt::format("{}: {}; profile with {} and export with `{} > FILE.csv`", what,
                                  why, sections, ExportCommand()));
}

Result<double> Throughput(const ClassifyRule& rule, const LaunchMetrics& metrics,
                          std::string_view name, const char* what) {
  constexpr const char* kSections = "`--set full` or `--section SpeedOfLight`";
  const Metric& metric = metrics[name];
  if (!metric.value)
    return Lacking(fmt::format("no verdict without {}", what), metric.why, kSections);
  if (*metric.value < 0 || *metric.value > rule.largest) {
    return Lacking(fmt::format("no verdict from {} of {:g}%", what, *metric.value),
                   fmt::format("{} must lie from 0 to {:g}", metric.id, rule.largest), kSections);
  }
  return *metric.value;
}

Result<RuleInputs> Inputs(const ClassifyRule& rule, const LaunchMetrics& metrics,
                          std::optional<double> wall_ms) {
  RuleInputs in;
  CROQ_ASSIGN(in.sm, Throughput(rule, metrics, "sm_pct", "SM throughput"));
  CROQ_ASSIGN(in.memory, Throughput(rule, metrics, "mem_pct", "memory throughput"));
  if (in.sm < rule.low && in.memory < rule.low) {
    constexpr std::array<std::array<const char*, 2>, 3> kNeeded{
        {{"duration_ns", "duration"}, {"grid_size", "grid size"}, {"sm_count", "SM count"}}};
    for (const auto& [name, what] : kNeeded) {
      const Metric& metric = metrics[name];
      const bool good = metric.value && *metric.value > 0;
      if (!good) {
        return Lacking(
            fmt::format("SM and memory throughput are both below {:g}%, and no verdict "
                        "then without the {}",
                        rule.low, what),
            metric.value ? fmt::format("{} is {:g}", metric.id, *metric.value) : metric.why,
            "`--set full` or `--section SpeedOfLight --section LaunchStats`");
      }
    }
  }
  in.grid = metrics.Value("grid_size").value_or(0);
  in.sms = metrics.Value("sm_count").value_or(0);
  in.waves = metrics.Value("waves");
  if (const auto active = metrics.Value("sm_active_pct"))
    in.active_share = *active / 100;
  if (const auto duration = metrics.Value("duration_ns"))
    in.duration_us = *duration / kNsPerUs;
  if (wall_ms)
    in.wall_us = *wall_ms * kUsPerMs;
  return in;
}

}  // namespace

std::string_view NameOf(Bottleneck bottleneck) {
  switch (bottleneck) {
    case Bottleneck::kMemory:
      return "memory_bound";
    case Bottleneck::kCompute:
      return "compute_bound";
    case Bottleneck::kLatency:
      return "latency_bound";
    case Bottleneck::kLaunch:
      return "launch_bound";
    case Bottleneck::kMixed:
      break;
  }
  return "mixed";
}

std::string_view NameOf(Level level) {
  return level == Level::kDram ? "dram" : level == Level::kL2 ? "l2" : "l1";
}

std::string_view NameOf(Confidence confidence) {
  return confidence == Confidence::kLow      ? "low"
         : confidence == Confidence::kMedium ? "medium"
                                             : "high";
}

RuleOutcome ApplyRule(const ClassifyRule& rule, const RuleInputs& in) {
  const double apart = std::abs(in.sm - in.memory);
  const Bottleneck larger = in.sm > in.memory ? Bottleneck::kCompute : Bottleneck::kMemory;
  if (in.sm >= rule.high || in.memory >= rule.high) {
    const bool both = in.sm >= rule.high && in.memory >= rule.high;
    if (both && apart < rule.balanced_high)
      return {Bottleneck::kMixed, "", Confidence::kMedium};
    return {larger, "", apart >= rule.balanced ? Confidence::kHigh : Confidence::kMedium};
  }
  if (in.sm < rule.low && in.memory < rule.low)
    return BelowBoth(rule, in);
  return {apart < rule.balanced ? Bottleneck::kMixed : larger, "", Confidence::kMedium};
}

Result<Verdict> Classify(const ClassifyRule& rule, const LaunchMetrics& metrics,
                         std::optional<double> wall_ms) {
  CROQ_ASSIGN(const RuleInputs inputs, Inputs(rule, metrics, wall_ms));
  const RuleOutcome outcome = ApplyRule(rule, inputs);
  Verdict verdict;
  verdict.bottleneck = outcome.bottleneck;
  verdict.confidence = outcome.confidence;
  verdict.cause = outcome.cause;
  if (outcome.bottleneck == Bottleneck::kMemory || outcome.bottleneck == Bottleneck::kMixed)
    SetLevel(rule, metrics, inputs.memory, verdict);
  if (outcome.bottleneck == Bottleneck::kLatency) {
    if (!metrics.stalls.empty())
      verdict.cause = metrics.stalls.front().reason;
    else
      verdict.no_cause = metrics.no_stalls;
  }
  verdict.runner_up = FindRunnerUp(rule, inputs, outcome.bottleneck);
  if (verdict.runner_up)
    verdict.confidence = Confidence::kLow;
  return verdict;
}

}  // namespace croq::profile
