#include "croq/cli/classify_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "croq/cli/output.h"
#include "croq/profile/kernel_name.h"

namespace croq::cli {
namespace {

using profile::Metric;
using profile::Report;

std::string Number(double value, const std::string& unit) {
  if (unit == "%")
    return fmt::format("{:.2f}%", value);
  if (unit == "ns")
    return fmt::format("{:.3f} us", value / 1e3);
  if (unit == "hz")
    return fmt::format("{:.3f} GHz", value / 1e9);
  if (unit == "byte")
    return FormatBytes(value);
  if (unit == "byte/s")
    return fmt::format("{:.1f} GB/s", value / 1e9);
  return fmt::format("{:.6g}{}{}", value, unit.empty() ? "" : " ", unit);
}

/// What is shown, in order; the rest of the catalogue is in the JSON.
struct Row {
  const char* metric;
  const char* label;
};
constexpr std::array<Row, 20> kRows{
    {{"sm_pct", "SM throughput"},        {"mem_pct", "memory throughput"},
     {"dram_pct", "DRAM throughput"},    {"l2_pct", "L2 throughput"},
     {"l1_pct", "L1 throughput"},        {"tensor_pct", "tensor pipe"},
     {"duration_ns", "duration"},        {"waves", "waves"},
     {"sm_active_pct", "SMs active"},    {"occupancy_pct", "occupancy"},
     {"issue_pct", "issue slots used"},  {"registers", "registers"},
     {"shared_bytes", "shared memory"},  {"spill_requests", "spills"},
     {"conflict_pct", "bank conflicts"}, {"excess_sector_pct", "excess sectors"},
     {"l2_hit_pct", "L2 hits"},          {"dram_bytes", "DRAM bytes"},
     {"sm_clock_hz", "SM clock"},        {"grid_size", "grid"}}};

std::string Title(const Report& report) {
  const profile::Verdict& verdict = report.verdict;
  constexpr std::size_t kLongest = 100;
  std::string text = profile::ShownName(report.kernel.substr(0, kLongest));
  if (report.kernel.size() > kLongest)
    text += "...";
  text += fmt::format(": {}", NameOf(verdict.bottleneck));
  if (!verdict.cause.empty())
    text += fmt::format(" ({})", verdict.cause);
  if (verdict.level)
    text += fmt::format(", level {}", NameOf(*verdict.level));
  text += fmt::format(", confidence {}", NameOf(verdict.confidence));
  if (verdict.runner_up) {
    text += fmt::format("; near to {}: {}", NameOf(verdict.runner_up->bottleneck),
                        verdict.runner_up->because);
  }
  return text + "\n";
}

std::string Stalls(const Report& report) {
  if (report.metrics.stalls.empty())
    return "none known: " + report.metrics.no_stalls;
  std::vector<std::string> parts;
  const std::size_t shown = std::min(report.stalls_shown, report.metrics.stalls.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const profile::Stall& stall = report.metrics.stalls[i];
    parts.push_back(fmt::format("{} {:.1f}%", stall.reason, stall.share));
  }
  return fmt::format("{} of a warp's time", fmt::join(parts, ", "));
}

std::string RooflineLine(const profile::Evidence& evidence) {
  if (!evidence.roofline)
    return "unplaced: " + evidence.no_roofline;
  const profile::Roofline& roof = *evidence.roofline;
  std::string text =
      fmt::format("{:.0f} GB/s, {:.1f}% of the copy rate", roof.gb_per_s, roof.copy_share);
  if (roof.tflops)
    text += fmt::format("; {:.1f} TFLOPS", *roof.tflops);
  if (roof.matmul_share)
    text += fmt::format(", {:.1f}% of the matmul rate", *roof.matmul_share);
  if (roof.intensity)
    text += fmt::format("; {:.1f} operations a byte", *roof.intensity);
  if (roof.ridge)
    text += fmt::format(" (both ceilings meet at {:.1f})", *roof.ridge);
  return text;
}

std::string NvidiaLine(const Report& report) {
  if (!report.nvidia)
    return "none: " + report.no_nvidia;
  const auto agrees = Agrees(*report.nvidia, report.verdict.bottleneck);
  const std::string verdict = report.nvidia->verdict.empty() ? "" : report.nvidia->verdict + ": ";
  return fmt::format("{}{}{}", verdict, report.nvidia->text,
                     agrees ? (*agrees ? " (agrees)" : " (DIFFERS)") : "");
}

}  // namespace

std::string FormatReport(const Report& report) {
  TextTable figures;
  for (const Row& row : kRows) {
    const Metric& metric = report.metrics[row.metric];
    if (metric.value)
      figures.AddRow({row.label, Number(*metric.value, metric.unit), metric.id});
    else
      figures.AddRow({row.label, "-", metric.why});
  }
  const profile::Evidence& evidence = report.evidence;
  TextTable facts;
  facts.AddRow({"launch", fmt::format("{} ({})", profile::WithoutControls(report.launch_id),
                                      report.how_chosen)});
  facts.AddRow({"stalls", Stalls(report)});
  facts.AddRow({"blocks an SM",
                evidence.limiters.empty()
                    ? "limit unknown: " + evidence.no_limiter
                    : fmt::format("{:g}, limited by {}", *report.metrics.Value("blocks_per_sm"),
                                  fmt::join(evidence.limiters, " and "))});
  if (evidence.tail)
    facts.AddRow(
        {"tail", fmt::format("the last wave may cost {:.0f}% of the time", *evidence.tail)});
  if (evidence.spills)
    facts.AddRow({"spills", "registers spill to local memory"});
  if (evidence.conflicts)
    facts.AddRow({"conflicts", "shared memory has bank conflicts"});
  if (!report.verdict.no_level.empty())
    facts.AddRow({"level", "unplaced: " + report.verdict.no_level});
  facts.AddRow({"roofline", RooflineLine(evidence)});
  facts.AddRow({"NVIDIA", profile::WithoutControls(NvidiaLine(report))});
  for (const std::string& note : report.notes)
    facts.AddRow({"note", profile::WithoutControls(note)});
  return Title(report) + facts.Render(2) + "\n" + figures.Render(2);
}

}  // namespace croq::cli
