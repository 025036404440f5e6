#include "croq/profile/report.h"

#include <fmt/format.h>

#include "croq/contract/figures.h"
#include "croq/profile/kernel_name.h"
#include "croq/profile/launch_choice.h"

namespace croq::profile {
namespace {

/// The rule rows that belong to the launch: its own, or those of the same launch on the details
/// page, where its kernel and number must be the same.
void SetNvidia(const Export& exported, const Launch& launch, const ReportRequest& request,
               Report& report) {
  report.nvidia = FindNvidiaVerdict(launch.rules);
  if (report.nvidia)
    return;
  report.no_nvidia = exported.shape == Shape::kTall
                         ? "the file has no rule SOLBottleneck"
                         : "the raw page has no rules; NVIDIA's stand on the details page";
  if (!request.details)
    return;
  const auto details = ReadExport(request.details->text, request.details->name);
  if (!details) {
    report.no_nvidia = details.error().message;
    return;
  }
  report.no_nvidia = fmt::format("{} has no rule SOLBottleneck for launch {} of this kernel",
                                 request.details->name, launch.id);
  for (const Launch& other : details->launches) {
    if (other.id != launch.id || details->KernelOf(other) != exported.KernelOf(launch))
      continue;
    report.nvidia = FindNvidiaVerdict(other.rules);
    if (report.nvidia)
      report.no_nvidia.clear();
    return;
  }
}

void AddNotes(const Export& exported, Report& report) {
  for (const std::string& message : exported.messages) report.notes.push_back("ncu: " + message);
  const auto duration = report.metrics.Value("duration_ns");
  constexpr double kUnstableNs = 1000;
  if (duration && *duration < kUnstableNs)
    report.notes.emplace_back("a kernel of less than 1 us: its percentages are unstable");
  if (exported.mark == DecimalMark::kComma)
    report.notes.emplace_back("the file writes numbers with a decimal comma");
}

}  // namespace

Result<Report> MakeReport(const contract::ClassifyRule& rule, const ReportRequest& request) {
  CROQ_ASSIGN(const Export exported, ReadExport(request.file.text, request.file.name));
  CROQ_ASSIGN(const LaunchChoice choice, ChooseLaunch(exported, request.kernel, request.file.name));
  const Launch& launch = exported.launches[choice.launch];
  Report report;
  report.kernel = exported.KernelOf(launch);
  report.launch_id = launch.id;
  report.launches = choice.launches;
  report.how_chosen = choice.how;
  report.compute_capability = launch.compute_capability;
  report.metrics = ReadMetrics(exported, launch);
  auto verdict = Classify(rule, report.metrics, request.wall_ms);
  if (!verdict) {
    return Wrap(verdict.error(),
                fmt::format("{}:{}:1: kernel '{}', launch {}", request.file.name, launch.line,
                            ShownName(BaseName(report.kernel)), WithoutControls(report.launch_id)));
  }
  report.verdict = std::move(*verdict);
  report.evidence = Gather(rule, report.metrics, request.ceilings);
  report.stalls_shown = static_cast<std::size_t>(rule.stalls_shown);
  SetNvidia(exported, launch, request, report);
  AddNotes(exported, report);
  return report;
}

KernelProfile AsKernelProfile(const Report& report) {
  constexpr double kNsPerUs = 1e3;
  const Verdict& verdict = report.verdict;
  KernelProfile profile;
  profile.kernel = BaseName(report.kernel);
  profile.bottleneck = NameOf(verdict.bottleneck);
  profile.level = verdict.level ? NameOf(*verdict.level) : "";
  profile.confidence = NameOf(verdict.confidence);
  profile.runner_up = verdict.runner_up ? NameOf(verdict.runner_up->bottleneck) : "";
  for (const auto& [name, metric] : report.metrics.metrics) {
    if (metric.value && contract::FindFigure(name) != nullptr)
      profile.Set(name, *metric.value, metric.id);
  }
  if (const Metric& duration = report.metrics["duration_ns"]; duration.value)
    profile.Set("duration_us", *duration.value / kNsPerUs, duration.id);
  for (const Stall& stall : report.metrics.stalls) {
    const std::string name = fmt::format("stall_{}_pct", stall.reason);
    if (contract::FindFigure(name) != nullptr)
      profile.Set(name, stall.share, stall.id);
  }
  return profile;
}

}  // namespace croq::profile
