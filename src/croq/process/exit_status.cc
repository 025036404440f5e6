#include "croq/process/exit_status.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>

namespace croq::process {

std::string ExitStatus::Text() const {
  if (signal == 0)
    return fmt::format("exited with {}", code);
  const char* name = ::sigabbrev_np(signal);
  if (name == nullptr)
    return fmt::format("killed by signal {}", signal);
  return fmt::format("killed by SIG{} ({})", name, signal);
}

ExitStatus FromWaitStatus(int wait_status) {
  if (WIFSIGNALED(wait_status))
    return {0, WTERMSIG(wait_status)};
  return {WEXITSTATUS(wait_status), 0};
}

ExitStatus FromSupervisor(const ExitStatus& supervisor) {
  constexpr int kSignalBase = 128;
  if (supervisor.signal == 0 && supervisor.code > kSignalBase &&
      supervisor.code < kSignalBase + NSIG) {
    return {0, supervisor.code - kSignalBase};
  }
  return supervisor;
}

}  // namespace croq::process
