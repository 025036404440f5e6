#include "croq/profile/nvidia_verdict.h"

#include <array>

namespace croq::profile {
namespace {

struct Phrase {
  std::string_view part;  ///< of the rule's text
  std::string_view verdict;
};

/// The rule's texts changed little from 2019 to 2026: "The kernel" became "This workload".
constexpr std::array<Phrase, 10> kPhrases{{
    {"utilizing greater than", "High Throughput"},
    {"grid is too small", "Small Grid"},
    {"Memory is more heavily utilized than Compute", "High Memory Throughput"},
    {"Compute is more heavily utilized than Memory", "High Compute Throughput"},
    {"memory is more heavily utilized than compute", "High Memory Throughput"},
    {"compute is more heavily utilized than memory", "High Compute Throughput"},
    {"well-balanced", "Balanced Throughput"},
    {"typically indicate latency issues", "Latency Issue"},
    {"latency issues", "Latency Issue"},
    {"low compute throughput and memory bandwidth", "Latency Issue"},
}};

}  // namespace

std::optional<NvidiaVerdict> FindNvidiaVerdict(std::span<const RuleRow> rules) {
  for (const RuleRow& row : rules) {
    if (row.name != "SOLBottleneck" && row.name != "Bottleneck")
      continue;
    NvidiaVerdict nvidia{std::string(row.name), std::string(row.type), "", std::string(row.text)};
    for (const Phrase& phrase : kPhrases) {
      if (row.text.find(phrase.part) != std::string_view::npos) {
        nvidia.verdict = phrase.verdict;
        break;
      }
    }
    return nvidia;
  }
  return std::nullopt;
}

std::optional<bool> Agrees(const NvidiaVerdict& nvidia, Bottleneck ours) {
  const std::string& verdict = nvidia.verdict;
  if (verdict == "High Throughput") {
    return ours == Bottleneck::kMemory || ours == Bottleneck::kCompute ||
           ours == Bottleneck::kMixed;
  }
  if (verdict == "High Memory Throughput")
    return ours == Bottleneck::kMemory;
  if (verdict == "High Compute Throughput")
    return ours == Bottleneck::kCompute;
  if (verdict == "Balanced Throughput")
    return ours == Bottleneck::kMixed;
  // NVIDIA tells the two apart by the waves alone, so either of ours fits both.
  if (verdict == "Latency Issue" || verdict == "Small Grid")
    return ours == Bottleneck::kLatency || ours == Bottleneck::kLaunch;
  return std::nullopt;
}

}  // namespace croq::profile
