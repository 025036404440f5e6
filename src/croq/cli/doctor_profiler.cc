#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <sstream>

#include "croq/base/files.h"
#include "croq/cli/doctor_checks.h"
#include "croq/cli/package_version.h"
#include "croq/process/run.h"

namespace croq::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kInstallFolder = "/opt/nvidia/nsight-compute";
constexpr const char* kToolkitFolder = "/usr/local/cuda/bin";
constexpr const char* kDriverParams = "/proc/driver/nvidia/params";
constexpr const char* kWithout = "; tuning works without it, bottlenecks are not measured";
constexpr int kCapSysAdmin = 21;  // linux/capability.h

bool HasSysAdmin() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    std::istringstream words(line);
    std::string key;
    unsigned long long capabilities = 0;
    if (words >> key && key == "CapEff:" && words >> std::hex >> capabilities) {
      return (capabilities >> kCapSysAdmin & 1U) != 0;
    }
  }
  return false;
}

}  // namespace

std::filesystem::path FindProfiler(const std::string& tool) {
  if (const fs::path found = FindOnPath(tool); !found.empty())
    return found;
  const fs::path in_toolkit = fs::path(kToolkitFolder) / tool;
  if (::access(in_toolkit.c_str(), X_OK) == 0)
    return in_toolkit;
  fs::path newest;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(kInstallFolder, code)) {
    const fs::path program = entry.path() / tool;
    if (::access(program.c_str(), X_OK) != 0)
      continue;
    const bool newer = newest.empty() || CompareVersions(newest.parent_path().filename().string(),
                                                         entry.path().filename().string()) < 0;
    if (newer)
      newest = program;
  }
  return newest;
}

bool CountersReadable(const std::optional<std::string>& params, bool sys_admin) {
  if (sys_admin)
    return true;
  if (!params)
    return false;
  // The module option NVreg_RestrictProfilingToAdminUsers is shown as RmProfilingAdminOnly.
  std::istringstream in(*params);
  for (std::string line; std::getline(in, line);) {
    const bool names_it = line.find("RestrictProfilingToAdminUsers") != std::string::npos ||
                          line.find("RmProfilingAdminOnly") != std::string::npos;
    if (names_it)
      return line.find_last_of("0123456789") != std::string::npos && line.back() == '0';
  }
  return false;
}

DoctorLines CheckProfiler(const DoctorOptions& options) {
  const std::string& tool = options.contract->profile.tool;
  const fs::path profiler = FindProfiler(tool);
  DoctorLine line{"profiler", tool, {}, profiler.string(), "", {}};
  if (profiler.empty()) {
    line.status = DoctorStatus::kWarning;
    line.found =
        fmt::format("not on PATH, in {} or in {}{}", kToolkitFolder, kInstallFolder, kWithout);
    line.remedy = "to profile, install NVIDIA Nsight Compute";
    return {line};
  }
  process::RunOptions run;
  run.argv = {profiler.string(), "--version"};
  run.environment = process::CurrentEnvironment();
  run.supervisor = options.layout.supervisor;
  const auto ran = process::RunToCompletion(run);
  if (ran && ran->Succeeded()) {
    line.found = fmt::format("{} ({})", process::LastLine(ran->output), line.found);
  } else {
    line.status = DoctorStatus::kWarning;
    line.found += fmt::format(": {}{}", ran ? ran->Text() : ran.error().message, kWithout);
    line.remedy = "install NVIDIA Nsight Compute again";
  }

  DoctorLine counters{"counters", "GPU counters", {}, "may be read", "", {}};
  const auto params = ReadFile(kDriverParams);
  if (!params) {
    counters.status = DoctorStatus::kWarning;
    counters.found = "unknown: no NVIDIA driver here";
    counters.remedy = "to profile, run on a machine with a GPU";
  } else if (!CountersReadable(*params, HasSysAdmin())) {
    counters.status = DoctorStatus::kWarning;
    counters.found = "may not be read by this user";
    counters.remedy =
        "to profile, run as root or with CAP_SYS_ADMIN (docker run --cap-add=SYS_ADMIN), or load "
        "the "
        "driver with NVreg_RestrictProfilingToAdminUsers=0";
  }
  return {line, counters};
}

}  // namespace croq::cli
