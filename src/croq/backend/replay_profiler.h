#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "croq/backend/ncu_profiler.h"
#include "croq/model/runner_messages.h"
#include "croq/model/session_paths.h"
#include "croq/tune/profile_source.h"

namespace croq::backend {

struct ReplayOptions {
  std::filesystem::path runner;  ///< process::FindSibling("croq-runner")
  std::filesystem::path folder;  ///< for requests, script and exports; made where missing
  int ordinal = 0;               ///< N of cuda:N
  PrepareRequest prepare;        ///< as the session's own runner was prepared
  std::vector<std::filesystem::path> path_folders;  ///< the profiler's, where it is not on PATH
  double deadline_seconds = 300;
  profile::Ceilings ceilings;  ///< what was measured of the device; may be empty
  /// Where the exports of iterations are kept, and iter000's script lies; nothing: nowhere.
  std::optional<SessionPaths> session;
};

/// Profiles recorded plans in a croq-runner of its own, without an interpreter's start: the
/// requests that would go over its pipe lie in a file, and ncu starts it reading from there. It
/// gives fewer sections than the script's `--set full`, and the same verdict.
class ReplayProfiler : public tune::ProfileSource {
 public:
  /// `profiler` and `contract` outlive it.
  ReplayProfiler(ReplayOptions options, NcuProfiler& profiler, const contract::Contract& contract)
      : options_(std::move(options)), profiler_(profiler), contract_(contract) {}

  /// Of the kernel that the plan launches first. Error: the files can't be written, the script not
  /// be started, the plan launches nothing.
  Result<ProfileOutcome> ProfilePlan(const LaunchPlan& plan, std::optional<double> wall_ms);

  Result<profile::KernelProfile> Profile(const tune::Candidate& candidate,
                                         const tune::ProfileWish& wish) override;
  /// Through iter000's own script: its kernel is the library's, and no plan has it.
  Result<profile::KernelProfile> ProfileBaseline(double deadline_seconds) override;

 private:
  Result<ProfileOutcome> ProfileWithin(const LaunchPlan& plan, std::optional<double> wall_ms,
                                       double deadline_seconds);
  ProfileFiles OwnFiles() const;
  Status Keep(int iteration) const;

  ReplayOptions options_;
  NcuProfiler& profiler_;
  const contract::Contract& contract_;
};

/// The script that profiles a plan; exposed for tests. `kernel` is the function's name.
std::string ReplayScript(const contract::Contract& contract, const ReplayOptions& options,
                         const ProfileFiles& files, const std::string& kernel);

}  // namespace croq::backend
