#include "croq/backend/replay_profiler.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "croq/base/fd.h"
#include "croq/base/files.h"
#include "croq/contract/scripts.h"
#include "croq/protocol/messages.h"

namespace croq::backend {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr const char* kRequests = "requests.frames";
constexpr const char* kReplies = "replies.frames";
constexpr int kOwnerMayRead = 0600;
/// Each of ncu's passes saves and restores the memory, so a launch takes seconds of the watchdog's.
constexpr double kLaunchDeadlineMs = 600'000;

std::string Quoted(const fs::path& path) {
  return contract::ShellQuote(path.string());
}

Status WriteRequests(const fs::path& path, const ReplayOptions& options, const LaunchPlan& plan) {
  TimeRequest time;
  time.plan = plan;
  time.deadline_ms = kLaunchDeadlineMs;
  const Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kOwnerMayRead));
  if (file.get() < 0)
    return Failure(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
  const std::array<json, 3> requests{protocol::Encode(OpenRequest{options.ordinal}),
                                     protocol::Encode(options.prepare), protocol::Encode(time)};
  std::int64_t id = 0;
  for (const json& request : requests)
    CROQ_TRY(protocol::WriteMessage(file.get(), protocol::WithId(request, ++id)));
  return {};
}

Status Copy(const fs::path& from, const fs::path& to) {
  std::error_code code;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, code);
  if (!code)
    return {};
  return Failure(fmt::format("cannot write {}: {}", to.string(), code.message()));
}

Result<profile::KernelProfile> AsProfile(const ProfileOutcome& outcome) {
  if (!outcome.report)
    return Failure(outcome.reason);
  return profile::AsKernelProfile(*outcome.report);
}

/// Why the runner did not get to the launches, in its own words; empty where it did.
std::string RunnersReason(const fs::path& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0)
    return {};
  std::string reason;
  while (true) {
    const auto message = protocol::ReadMessage(file.get());
    if (!message || !*message)
      return reason;
    for (const char* key : {"reason", "message", "problem"}) {
      const auto found = (*message)->find(key);
      if (found != (*message)->end() && found->is_string() && !found->get<std::string>().empty())
        reason = found->get<std::string>();
    }
  }
}

}  // namespace

std::string ReplayScript(const contract::Contract& contract, const ReplayOptions& options,
                         const ProfileFiles& files, const std::string& kernel) {
  std::string path;
  for (const fs::path& folder : options.path_folders) path += Quoted(folder) + ":";
  std::string sections;
  for (const std::string& section : contract.profile.sections)
    sections += " --section " + contract::ShellQuote(section);
  std::string chosen;
  for (const std::string& word : contract.profile.options)
    chosen += " " + contract::ShellQuote(word);
  const std::string filter = contract::ShellQuote(contract::KernelFilter(std::array{kernel}));
  return fmt::format(
      "#!/usr/bin/env bash\n"
      "set -euo pipefail\n"
      "export PATH={path}\"$PATH\" LC_ALL=C\n"
      "{tool} --target-processes all{sections}{options} --kernel-name {filter} \\\n"
      "    --export {report} --force-overwrite \\\n"
      "    bash -c 'exec \"$0\" --read-fd 3 --write-fd 4 3<\"$1\" 4>\"$2\"' \\\n"
      "    {runner} {requests} {replies}\n"
      "{tool} --import {report} --csv --page raw --print-units base > {raw}\n"
      "{tool} --import {report} --csv --page details --print-units base > {details}\n",
      fmt::arg("path", path), fmt::arg("tool", contract.profile.tool),
      fmt::arg("sections", sections), fmt::arg("options", chosen), fmt::arg("filter", filter),
      fmt::arg("report", Quoted(files.report)), fmt::arg("runner", Quoted(options.runner)),
      fmt::arg("requests", Quoted(options.folder / kRequests)),
      fmt::arg("replies", Quoted(options.folder / kReplies)), fmt::arg("raw", Quoted(files.raw)),
      fmt::arg("details", Quoted(files.details)));
}

ProfileFiles ReplayProfiler::OwnFiles() const {
  const fs::path& folder = options_.folder;
  return {folder / "profile.ncu-rep", folder / "profile.csv", folder / "profile.details.csv"};
}

Result<ProfileOutcome> ReplayProfiler::ProfilePlan(const LaunchPlan& plan,
                                                   std::optional<double> wall_ms) {
  return ProfileWithin(plan, wall_ms, options_.deadline_seconds);
}

Result<ProfileOutcome> ReplayProfiler::ProfileWithin(const LaunchPlan& plan,
                                                     std::optional<double> wall_ms,
                                                     double deadline_seconds) {
  const std::string kernel = contract::FirstKernelOf(plan);
  if (kernel.empty())
    return Failure("the plan launches no kernel, so there is nothing to profile");
  const fs::path& folder = options_.folder;
  CROQ_TRY(MakeDirectories(folder));
  ProfileRequest request;
  request.script = folder / "profile.sh";
  request.files = OwnFiles();
  request.kernels = {kernel};
  request.wall_ms = wall_ms;
  request.ceilings = options_.ceilings;
  CROQ_TRY(WriteRequests(folder / kRequests, options_, plan));
  CROQ_TRY(WriteFile(folder / kReplies, ""));
  CROQ_TRY(WriteFileAtomic(request.script, ReplayScript(contract_, options_, request.files, kernel),
                           true));
  CROQ_ASSIGN(ProfileOutcome outcome, profiler_.Profile(request, deadline_seconds));
  if (outcome.Succeeded())
    return outcome;
  const std::string said = RunnersReason(folder / kReplies);
  const bool launches_missing = outcome.problem == profile::NcuProblem::kNoKernels ||
                                outcome.problem == profile::NcuProblem::kApplication;
  if (launches_missing && !said.empty())
    outcome.reason += "; croq-runner says: " + said;
  return outcome;
}

Status ReplayProfiler::Keep(int iteration) const {
  if (!options_.session || iteration < 0)
    return {};
  const ProfileFiles own = OwnFiles();
  const ProfileFiles kept = ProfileFilesOf(*options_.session, iteration);
  CROQ_TRY(MakeDirectories(options_.session->Performance()));
  CROQ_TRY(Copy(own.report, kept.report));
  CROQ_TRY(Copy(own.raw, kept.raw));
  return Copy(own.details, kept.details);
}

Result<profile::KernelProfile> ReplayProfiler::Profile(const tune::Candidate& candidate,
                                                       const tune::ProfileWish& wish) {
  // The cold time is the kernel's, between two events: it says nothing of the host.
  CROQ_ASSIGN(const ProfileOutcome outcome,
              ProfileWithin(candidate.plan, std::nullopt, wish.deadline_seconds));
  if (outcome.Succeeded())
    CROQ_TRY(Keep(wish.iteration));
  return AsProfile(outcome);
}

Result<profile::KernelProfile> ReplayProfiler::ProfileBaseline(double deadline_seconds) {
  if (!options_.session)
    return Failure("there is no session whose baseline could be profiled");
  ProfileRequest request;
  request.script = options_.session->ProfileScript(0);
  request.files = ProfileFilesOf(*options_.session, 0);
  request.ceilings = options_.ceilings;
  CROQ_ASSIGN(const ProfileOutcome outcome, profiler_.Profile(request, deadline_seconds));
  return AsProfile(outcome);
}

}  // namespace croq::backend
