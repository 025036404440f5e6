#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/contract/contract.h"
#include "croq/model/session_paths.h"
#include "croq/profile/ncu_failure.h"
#include "croq/profile/report.h"
#include "croq/tune/script_host.h"

namespace croq::backend {

/// What a profile script leaves behind.
struct ProfileFiles {
  std::filesystem::path report;   ///< .ncu-rep
  std::filesystem::path raw;      ///< .csv
  std::filesystem::path details;  ///< .details.csv
};

/// Those of an iteration's own script.
ProfileFiles ProfileFilesOf(const SessionPaths& paths, int iteration);

struct ProfileRequest {
  std::filesystem::path script;
  ProfileFiles files;                ///< older ones are removed first
  std::vector<std::string> kernels;  ///< one of these must have been profiled; empty: any
  std::optional<double> wall_ms;     ///< of one call, for kernels that wait for the host
  profile::Ceilings ceilings;
};

/// A profile, or why there is none: ncu's failures are data.
struct ProfileOutcome {
  std::optional<profile::Report> report;
  std::optional<profile::NcuProblem> problem;
  std::string reason;  ///< a sentence that says what to do
  std::string output;  ///< of the script, capped
  double seconds = 0;

  bool Succeeded() const { return report.has_value(); }
};

/// Runs profile scripts and reads what they export.
class NcuProfiler {
 public:
  /// `host` and `contract` outlive it.
  NcuProfiler(tune::ScriptHost& host, const contract::Contract& contract)
      : host_(host), contract_(contract) {}

  /// With its own process group and a deadline past which all of it is killed. Error: the script
  /// can't be started, or the old files not be removed.
  Result<ProfileOutcome> Profile(const ProfileRequest& request, double deadline_seconds);

 private:
  tune::ScriptHost& host_;
  const contract::Contract& contract_;
};

}  // namespace croq::backend
