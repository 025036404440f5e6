#pragma once

#include <optional>
#include <span>
#include <string>

#include "croq/profile/classify.h"
#include "croq/profile/export.h"

namespace croq::profile {

/// What NVIDIA's own rule SOLBottleneck says of a launch, from the details page.
struct NvidiaVerdict {
  std::string rule;
  std::string type;     ///< OPT, INF, WRN
  std::string verdict;  ///< High Throughput, High Compute Throughput, High Memory Throughput,
                        ///< Balanced Throughput, Latency Issue, Small Grid; empty: other words
  std::string text;
};

std::optional<NvidiaVerdict> FindNvidiaVerdict(std::span<const RuleRow> rules);

/// Whether it fits ours; nothing where its words are not known.
std::optional<bool> Agrees(const NvidiaVerdict& nvidia, Bottleneck ours);

}  // namespace croq::profile
