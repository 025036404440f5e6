#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "croq/base/result.h"
#include "croq/contract/classify_rule.h"
#include "croq/profile/metrics.h"

namespace croq::profile {

enum class Bottleneck { kMemory, kCompute, kLatency, kLaunch, kMixed };
/// Where memory-bound work waits: the device's memory, the L2 (and the crossbar), the L1 and shared
/// memory.
enum class Level { kDram, kL2, kL1 };
enum class Confidence { kLow, kMedium, kHigh };

std::string_view NameOf(Bottleneck bottleneck);  ///< `memory_bound`
std::string_view NameOf(Level level);
std::string_view NameOf(Confidence confidence);

/// What the rule looks at. Throughputs in % of peak.
struct RuleInputs {
  double sm = 0;
  double memory = 0;
  double grid = 0;
  double sms = 0;
  std::optional<double> waves;
  std::optional<double> active_share;  ///< 0 to 1
  std::optional<double> duration_us;
  std::optional<double> wall_us;  ///< of one call, from a timer outside ncu
};

struct RuleOutcome {
  Bottleneck bottleneck = Bottleneck::kMixed;
  std::string cause;  ///< launch_bound: grid, short, host
  Confidence confidence = Confidence::kMedium;
};

/// The contract's rule as it stands, without a look at its neighbourhood.
RuleOutcome ApplyRule(const contract::ClassifyRule& rule, const RuleInputs& inputs);

struct RunnerUp {
  Bottleneck bottleneck = Bottleneck::kMixed;
  std::string because;  ///< `sm + 2.0 points would turn it`
};

struct Verdict {
  Bottleneck bottleneck = Bottleneck::kMixed;
  Confidence confidence = Confidence::kMedium;
  std::string cause;           ///< launch_bound: grid, short, host; latency_bound: a stall reason
  std::string no_cause;        ///< why a latency-bound kernel has none
  std::optional<Level> level;  ///< of memory_bound and mixed
  std::string no_level;        ///< why one of those has none
  std::optional<RunnerUp> runner_up;  ///< near a boundary; the confidence is low then
};

/// Usage error where a figure that the rule needs is missing or no percentage; it names the metric
/// and says why. `wall_ms` is the time of one call as a benchmark sees it.
Result<Verdict> Classify(const contract::ClassifyRule& rule, const LaunchMetrics& metrics,
                         std::optional<double> wall_ms);

}  // namespace croq::profile
