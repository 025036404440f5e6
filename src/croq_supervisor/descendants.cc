#include "croq_supervisor/descendants.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string_view>

namespace croq::supervisor {
namespace {

struct Process {
  pid_t pid = 0;
  pid_t parent = 0;
  bool zombie = false;  ///< no thread of it runs any more
};

/// From /proc/<pid>/stat: `pid (name) state ppid ...`; the name may hold blanks and parentheses.
/// A process whose first thread has ended looks like a zombie while its other threads go on, so the
/// count of threads (field 20) is read too.
bool ReadProcess(pid_t pid, Process& process) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/stat", static_cast<int>(pid));
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  char text[512];
  const ssize_t got = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (got <= 0)
    return false;
  text[got] = '\0';
  const char* name_end = std::strrchr(text, ')');
  char state = 0;
  int parent = 0;
  int threads = 0;
  constexpr const char* kFields =
      " %c %d %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %d";
  if (name_end == nullptr || std::sscanf(name_end + 1, kFields, &state, &parent, &threads) != 3) {
    return false;
  }
  process = {pid, static_cast<pid_t>(parent), (state == 'Z' || state == 'X') && threads <= 1};
  return true;
}

std::vector<Process> AllProcesses() {
  std::vector<Process> processes;
  DIR* folder = ::opendir("/proc");
  if (folder == nullptr)
    return processes;
  while (const dirent* entry = ::readdir(folder)) {
    const std::string_view name = entry->d_name;
    pid_t pid = 0;
    const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (code != std::errc() || end != name.data() + name.size())
      continue;
    Process process;
    if (ReadProcess(pid, process))
      processes.push_back(process);
  }
  ::closedir(folder);
  return processes;
}

/// Reaps every dead child but `keep`.
void ReapOthers(pid_t keep) {
  for (const Process& process : AllProcesses()) {
    if (process.zombie && process.parent == ::getpid() && process.pid != keep) {
      ::waitpid(process.pid, nullptr, WNOHANG);
    }
  }
}

}  // namespace

std::vector<pid_t> LivingDescendants() {
  const std::vector<Process> processes = AllProcesses();
  std::vector<pid_t> family{::getpid()};
  std::vector<pid_t> living;
  for (std::size_t next = 0; next < family.size(); ++next) {
    for (const Process& process : processes) {
      if (process.parent != family[next] || process.pid == ::getpid())
        continue;
      if (std::find(family.begin(), family.end(), process.pid) != family.end())
        continue;
      family.push_back(process.pid);
      if (!process.zombie)
        living.push_back(process.pid);
    }
  }
  return living;
}

bool KillEverything(pid_t group, pid_t keep, int seconds) {
  const std::time_t give_up = std::time(nullptr) + seconds;
  // The snapshot of /proc is not atomic: a process that forks meanwhile may hide a child, which the
  // next round finds. Two empty rounds in a row are taken as the end.
  for (int empty_rounds = 0; empty_rounds < 2;) {
    if (group > 0)
      ::kill(-group, SIGKILL);
    const std::vector<pid_t> living = LivingDescendants();
    for (const pid_t pid : living) ::kill(pid, SIGKILL);
    ReapOthers(keep);
    empty_rounds = living.empty() ? empty_rounds + 1 : 0;
    if (living.empty())
      continue;
    if (std::time(nullptr) >= give_up)
      return false;
    const timespec pause{0, 1'000'000};
    ::nanosleep(&pause, nullptr);
  }
  return true;
}

}  // namespace croq::supervisor
