#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"
#include "croq/profile/classify.h"
#include "croq/profile/evidence.h"
#include "croq/profile/kernel_profile.h"
#include "croq/profile/nvidia_verdict.h"

namespace croq::profile {

/// A file's text and what messages call it.
struct NamedText {
  std::string_view name;
  std::string_view text;
};

struct ReportRequest {
  NamedText file;
  std::optional<std::string_view> kernel;  ///< see ChooseLaunch
  std::optional<double> wall_ms;           ///< of one call, from a timer outside ncu
  Ceilings ceilings;
  /// The details page of the same report, for NVIDIA's own verdict.
  std::optional<NamedText> details;
};

/// One launch, classified.
struct Report {
  std::string kernel;     ///< as printed
  std::string launch_id;  ///< ncu's number of the launch
  std::size_t launches = 1;
  std::string how_chosen;
  std::string compute_capability;  ///< `9.0`; may be empty
  Verdict verdict;
  LaunchMetrics metrics;
  Evidence evidence;
  std::optional<NvidiaVerdict> nvidia;
  std::string no_nvidia;
  std::vector<std::string> notes;  ///< what ncu warned of, and what to bear in mind
  std::size_t stalls_shown = 0;    ///< how many stall reasons are worth naming
};

/// Reads a file of ncu's and classifies one kernel of it. Usage errors say what is wrong with the
/// file, the kernel's name or the figures, and what to do.
Result<Report> MakeReport(const contract::ClassifyRule& rule, const ReportRequest& request);

/// As rules take it: the figures that contract/figures.h has a name for.
KernelProfile AsKernelProfile(const Report& report);

/// docs/classify.md names the keys.
void to_json(nlohmann::json& out, const Report& report);

}  // namespace croq::profile
