#include <fmt/format.h>
#include <linux/landlock.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>

#include "croq/base/files.h"
#include "croq/cli/doctor_checks.h"
#include "croq/cli/out_folder.h"
#include "croq/cli/output.h"

namespace croq::cli {
namespace {

constexpr double kMiB = 1 << 20;
/// A session's sources, cubins and journal take tens of MiB.
constexpr double kLeastDisk = 256 * kMiB;
constexpr double kComfortableDisk = 2048 * kMiB;
/// Engine and two workers take about 1 GiB together.
constexpr double kComfortableMemory = 1536 * kMiB;

DoctorLine DiskLine(const std::filesystem::path& out) {
  DoctorLine line{"disk", "free disk", {}, "", "", ErrorKind::kUsage};
  const auto bytes = FreeBytes(out);
  if (!bytes) {
    line.status = DoctorStatus::kWarning;
    line.found = bytes.error().message;
    return line;
  }
  const auto free = static_cast<double>(*bytes);
  line.found = fmt::format("{} at {}", FormatBytes(free), NearestExisting(out).string());
  if (free >= kComfortableDisk)
    return line;
  line.status = free < kLeastDisk ? DoctorStatus::kFailed : DoctorStatus::kWarning;
  line.remedy = "free some, or name another disk with --out";
  return line;
}

int Cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    return CPU_COUNT(&set);
  return static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
}

/// Bytes that programs can still have; 0 where the kernel does not say.
double AvailableMemory() {
  std::ifstream in("/proc/meminfo");
  std::string key;
  for (double kib = 0; in >> key >> kib; in.ignore(256, '\n')) {
    if (key == "MemAvailable:")
      return kib * 1024;
  }
  return 0;
}

DoctorLine MachineLine() {
  DoctorLine line{"machine", "cores and memory", {}, "", "", {}};
  const int cores = Cores();
  const double memory = AvailableMemory();
  line.found = fmt::format("{} core{}, {} of memory available", cores, cores == 1 ? "" : "s",
                           FormatBytes(memory));
  if (memory > 0 && memory < kComfortableMemory) {
    line.status = DoctorStatus::kWarning;
    line.remedy = "end other programs: workers may run out of memory";
  }
  return line;
}

DoctorLine Layer(const std::string& id, const std::string& what, bool present,
                 const std::string& found, const std::string& remedy) {
  return {"sandbox." + id,       what, present ? DoctorStatus::kOk : DoctorStatus::kWarning, found,
          present ? "" : remedy, {}};
}

/// The ABI version of the kernel's landlock, 0 without it.
long LandlockAbi() {
  const long abi =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return std::max(abi, 0L);
}

/// Tried in a child, as it can't be undone.
bool CanMakeUserNamespace() {
  const pid_t child = ::fork();
  if (child < 0)
    return false;
  if (child == 0)
    ::_exit(::unshare(CLONE_NEWUSER) == 0 ? 0 : 1);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

DoctorLines CheckMachine(const std::filesystem::path& out) {
  return {DiskLine(out), MachineLine()};
}

DoctorLines CheckSandbox() {
  const auto bwrap = FindOnPath("bwrap");
  const long landlock = LandlockAbi();
  const bool seccomp = ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
  const bool namespaces = CanMakeUserNamespace();
  std::error_code code;
  const bool cgroups = std::filesystem::exists("/sys/fs/cgroup/cgroup.controllers", code);
  return {
      Layer("bwrap", "bubblewrap", !bwrap.empty(), bwrap.empty() ? "not found" : bwrap.string(),
            "optional: install the package bubblewrap"),
      Layer("landlock", "landlock", landlock > 0,
            landlock > 0 ? fmt::format("ABI {}", landlock) : "not in this kernel, or off",
            "optional: a kernel from 5.13 on with landlock among its security modules"),
      Layer("seccomp", "seccomp", seccomp, seccomp ? "there" : "not in this kernel",
            "optional: a kernel with CONFIG_SECCOMP_FILTER"),
      Layer("userns", "user namespaces", namespaces, namespaces ? "may be made" : "may not be made",
            "optional: sysctl kernel.unprivileged_userns_clone=1, or a container that allows them"),
      Layer("cgroup2", "cgroup v2", cgroups, cgroups ? "mounted" : "not mounted at /sys/fs/cgroup",
            "optional: a system that mounts the unified hierarchy"),
  };
}

}  // namespace croq::cli
