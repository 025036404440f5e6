#include "croq/backend/ncu_profiler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

#include "croq/base/files.h"
#include "croq/profile/kernel_name.h"

namespace croq::backend {
namespace fs = std::filesystem;
namespace {

using profile::NcuProblem;

/// A profile of an earlier run must not pass for this one's.
Status RemoveOld(const ProfileFiles& files) {
  for (const fs::path& file : {files.report, files.raw, files.details}) {
    std::error_code code;
    fs::remove(file, code);
    if (code)
      return Failure(fmt::format("cannot remove {}: {}", file.string(), code.message()));
  }
  return {};
}

ProfileOutcome Fail(ProfileOutcome outcome, NcuProblem problem, std::string_view detail) {
  outcome.problem = problem;
  outcome.reason = profile::Explain(problem, detail);
  return outcome;
}

/// The one of the file's kernels that was asked for; nothing where none is.
std::optional<std::string> FindKernel(const profile::Export& exported,
                                      const std::vector<std::string>& asked) {
  for (const std::string& name : asked) {
    const auto pattern = profile::NamePattern::Parse(name);
    if (!pattern)
      continue;
    for (const std::string& kernel : exported.kernels) {
      if (pattern->FitOf(kernel) != profile::Fit::kNone)
        return kernel;
    }
  }
  return std::nullopt;
}

ProfileOutcome ReadProfile(const contract::Contract& contract, const ProfileRequest& request,
                           ProfileOutcome outcome) {
  std::error_code code;
  if (!fs::exists(request.files.raw, code) || fs::file_size(request.files.raw, code) == 0)
    return Fail(std::move(outcome), NcuProblem::kOther, profile::TellingLine(outcome.output));
  const auto raw = ReadFile(request.files.raw);
  if (!raw)
    return Fail(std::move(outcome), NcuProblem::kOther, raw.error().message);
  const auto exported = profile::ReadExport(*raw, request.files.raw.string());
  if (!exported)
    return Fail(std::move(outcome), NcuProblem::kOther, exported.error().message);
  profile::ReportRequest wanted;
  const std::string name = request.files.raw.string();
  wanted.file = {name, *raw};
  const auto kernel = request.kernels.empty() ? std::optional(exported->kernels.front())
                                              : FindKernel(*exported, request.kernels);
  if (!kernel) {
    return Fail(std::move(outcome), NcuProblem::kWrongKernel,
                fmt::format("{} instead of {}", profile::BaseName(exported->kernels.front()),
                            fmt::join(request.kernels, " or ")));
  }
  wanted.kernel = *kernel;
  wanted.wall_ms = request.wall_ms;
  wanted.ceilings = request.ceilings;
  const auto details = ReadFile(request.files.details);
  const std::string details_name = request.files.details.string();
  if (details)
    wanted.details = profile::NamedText{details_name, *details};
  auto report = profile::MakeReport(contract.classify, wanted);
  if (!report)
    return Fail(std::move(outcome), NcuProblem::kOther, report.error().message);
  outcome.report = std::move(*report);
  return outcome;
}

}  // namespace

ProfileFiles ProfileFilesOf(const SessionPaths& paths, int iteration) {
  return {paths.ProfileReport(iteration), paths.ProfileCsv(iteration),
          paths.ProfileDetails(iteration)};
}

Result<ProfileOutcome> NcuProfiler::Profile(const ProfileRequest& request,
                                            double deadline_seconds) {
  CROQ_TRY(RemoveOld(request.files));
  CROQ_ASSIGN(tune::ScriptRun run, host_.Run(request.script, deadline_seconds));
  ProfileOutcome outcome;
  outcome.seconds = run.seconds;
  outcome.output = std::move(run.output);
  if (run.timed_out) {
    return Fail(std::move(outcome), NcuProblem::kTimeout,
                fmt::format("{:.0f} s", deadline_seconds));
  }
  // ncu may end well and have profiled nothing, so the report decides; some of its errors come with
  // a report all the same.
  std::error_code code;
  const bool reported = fs::exists(request.files.report, code);
  if (run.succeeded && reported)
    return ReadProfile(contract_, request, std::move(outcome));
  const std::string line = profile::TellingLine(outcome.output);
  const auto known = profile::RecogniseNcuProblem(outcome.output);
  if (known)
    return Fail(std::move(outcome), *known, line);
  // The scripts stop at the first failure: ncu ended well but left no report, so that at most its
  // import failed, which names the file.
  const std::string report = request.files.report.filename().string();
  if (run.succeeded || (!reported && line.find(report) != std::string::npos))
    return Fail(std::move(outcome), NcuProblem::kNoKernels, line);
  return Fail(std::move(outcome), NcuProblem::kOther, run.reason);
}

}  // namespace croq::backend
