// croq-supervisor: runs one command and sees to it that nothing of it is left behind. When the
// lifeline pipe closes (croq died, however it died, or let go) or the command ends, it kills the
// command's process group and every remaining descendant, then exits with the command's code, or
// 128 + signal where a signal ended it. Descriptors below the lifeline (0 to 4) pass through to the
// command.

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "croq_supervisor/descendants.h"
#include "croq_supervisor/options.h"

namespace croq::supervisor {
namespace {

constexpr int kUsageExit = 125;
constexpr int kCannotStartExit = 127;
constexpr int kSignalBase = 128;
constexpr int kKillSeconds = 10;

[[noreturn]] void Die(const char* what) {
  std::fprintf(stderr, "croq-supervisor: %s: %s\n", what, std::strerror(errno));
  ::_exit(kUsageExit);
}

/// `slack` lifts the hard limit: the kernel sends SIGXCPU at the soft one, plain SIGKILL at the
/// hard.
void SetLimit(__rlimit_resource_t resource, std::int64_t value, std::int64_t slack = 0) {
  rlimit limit{};
  ::getrlimit(resource, &limit);
  limit.rlim_max = std::min(limit.rlim_max, static_cast<rlim_t>(value + slack));
  limit.rlim_cur = std::min(limit.rlim_max, static_cast<rlim_t>(value));
  if (::setrlimit(resource, &limit) != 0)
    Die("cannot set a resource limit");
}

/// In the child: never returns.
[[noreturn]] void RunCommand(const Options& options, pid_t supervisor) {
  ::setpgid(0, 0);
  // In case the supervisor itself is killed; checked for the moment before it took effect.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor)
    ::_exit(kCannotStartExit);
  SetLimit(RLIMIT_CORE, 0);
  if (options.memory_bytes > 0)
    SetLimit(RLIMIT_DATA, options.memory_bytes);
  if (options.cpu_seconds > 0)
    SetLimit(RLIMIT_CPU, options.cpu_seconds, 2);
  if (options.file_bytes > 0)
    SetLimit(RLIMIT_FSIZE, options.file_bytes);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvp(options.command[0], options.command);
  std::fprintf(stderr, "croq-supervisor: cannot start %s: %s\n", options.command[0],
               std::strerror(errno));
  ::_exit(kCannotStartExit);
}

sigset_t BlockSignals() {
  sigset_t watched;
  sigemptyset(&watched);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&watched, signal);
  ::sigprocmask(SIG_BLOCK, &watched, nullptr);
  return watched;
}

/// Reaps dead orphans; true when the command itself has ended (it is left unreaped, so that its
/// group's number stays its own).
bool CommandEnded(pid_t command) {
  while (true) {
    siginfo_t info{};
    if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
      return true;
    if (info.si_pid == 0)
      return false;
    if (info.si_pid == command)
      return true;
    ::waitpid(info.si_pid, nullptr, WNOHANG);
  }
}

/// Returns when the command has ended or the lifeline is closed.
void Watch(pid_t command, int lifeline, int signals) {
  while (true) {
    pollfd items[2] = {{lifeline, POLLIN, 0}, {signals, POLLIN, 0}};
    if (::poll(items, 2, -1) < 0 && errno != EINTR)
      return;
    if (items[1].revents != 0) {
      signalfd_siginfo info{};
      while (::read(signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        // Asked to end: the command gets the chance that the sender meant to give it.
        if (info.ssi_signo != SIGCHLD)
          ::kill(-command, static_cast<int>(info.ssi_signo));
      }
      if (CommandEnded(command))
        return;
    }
    if (items[0].revents != 0) {
      // Nothing is ever written to it: readable means closed.
      return;
    }
  }
}

int Supervise(const Options& options) {
  ::fcntl(options.lifeline_fd, F_SETFD, FD_CLOEXEC);
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
    Die("cannot become a child subreaper");
  const sigset_t watched = BlockSignals();
  const int signals = ::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0)
    Die("cannot watch signals");

  const pid_t self = ::getpid();
  const pid_t command = ::fork();
  if (command < 0)
    Die("cannot fork");
  if (command == 0)
    RunCommand(options, self);
  ::setpgid(command, command);
  // The reader of the replies must see the end of the stream when the command dies.
  for (int fd = STDERR_FILENO + 1; fd < options.lifeline_fd; ++fd) {
    if (fd != signals)
      ::close(fd);
  }

  Watch(command, options.lifeline_fd, signals);
  if (!KillEverything(command, command, kKillSeconds)) {
    std::fprintf(stderr, "croq-supervisor: some processes of %s do not die\n", options.command[0]);
  }
  int status = 0;
  if (::waitpid(command, &status, WNOHANG) != command)
    return kSignalBase + SIGKILL;
  return WIFSIGNALED(status) ? kSignalBase + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace
}  // namespace croq::supervisor

int main(int argc, char** argv) {
  croq::supervisor::Options options;
  std::string problem;
  if (!croq::supervisor::ParseOptions(argc, argv, options, problem)) {
    std::fprintf(stderr,
                 "croq-supervisor: %s\nusage: croq-supervisor --lifeline-fd N [--memory-bytes B] "
                 "[--cpu-seconds S] [--file-bytes F] -- command [argument...]\n",
                 problem.c_str());
    return croq::supervisor::kUsageExit;
  }
  // No destructors on the way out: there is nothing left to tidy, and it must be quick.
  std::fflush(stderr);
  ::_exit(croq::supervisor::Supervise(options));
}
