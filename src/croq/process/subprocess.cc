#include "croq/process/subprocess.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "croq/process/pipe.h"
#include "croq/process/spawn.h"

namespace croq::process {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// How long a supervisor may take to kill and reap a tree before it is killed itself. A process
/// that holds a GPU needs some seconds to be torn down.
constexpr milliseconds kSupervisorPatience{15000};

ExitStatus Reap(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return FromWaitStatus(status);
}

/// Whether the child has ended; leaves it to be reaped.
bool HasEnded(pid_t pid) {
  siginfo_t info{};
  const int result = ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT);
  return result != 0 || info.si_pid == pid;
}

void SleepMillis(int millis) {
  const timespec duration{0, static_cast<long>(millis) * 1'000'000};
  ::nanosleep(&duration, nullptr);
}

}  // namespace

Result<Subprocess> Subprocess::Spawn(const SpawnOptions& options) {
  CROQ_ASSIGN(SpawnedChild child, SpawnChild(options));
  Subprocess process;
  process.pid_ = child.pid;
  process.pidfd_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, child.pid, 0)));
  process.lifeline_ = std::move(child.lifeline);
  process.request_ = std::move(child.request);
  process.reply_ = std::move(child.reply);
  process.output_ = std::move(child.output);
  process.supervised_ = options.supervision.has_value();
  return process;
}

Subprocess& Subprocess::operator=(Subprocess&& other) noexcept {
  if (this == &other)
    return *this;
  Reset();
  pid_ = std::exchange(other.pid_, -1);
  pidfd_ = std::move(other.pidfd_);
  lifeline_ = std::move(other.lifeline_);
  request_ = std::move(other.request_);
  reply_ = std::move(other.reply_);
  output_ = std::move(other.output_);
  supervised_ = other.supervised_;
  ended_ = std::move(other.ended_);
  return *this;
}

Subprocess::~Subprocess() {
  Reset();
}

void Subprocess::Reset() {
  if (pid_ > 0 && !ended_)
    Kill();
  pid_ = -1;
  ended_.reset();
}

bool Subprocess::WaitReadable(steady_clock::time_point deadline) const {
  while (true) {
    if (HasEnded(pid_))
      return true;
    const int left = PollMillis(deadline);
    if (left == 0)
      return false;
    if (pidfd_) {
      pollfd item{pidfd_.get(), POLLIN, 0};
      ::poll(&item, 1, left);
    } else {
      SleepMillis(std::min(left, 5));
    }
  }
}

std::optional<ExitStatus> Subprocess::Wait(milliseconds wait) {
  if (ended_ || pid_ <= 0)
    return ended_;
  if (!WaitReadable(steady_clock::now() + wait))
    return std::nullopt;
  // The group outlives its leader; what is left of it is killed while the leader, not yet reaped,
  // keeps the group's number from being used again. The supervisor does the same for its command.
  if (!supervised_)
    Signal(SIGKILL);
  const ExitStatus status = Reap(pid_);
  ended_ = supervised_ ? FromSupervisor(status) : status;
  lifeline_.Close();
  return ended_;
}

void Subprocess::Signal(int signal) const {
  if (pid_ > 0 && !ended_)
    ::kill(-pid_, signal);
}

void Subprocess::LetGo() {
  if (pid_ <= 0 || ended_)
    return;
  if (supervised_) {
    lifeline_.Close();
  } else {
    Signal(SIGKILL);
  }
}

ExitStatus Subprocess::Kill(milliseconds grace) {
  if (ended_ || pid_ <= 0)
    return ended_.value_or(ExitStatus{});
  if (grace.count() > 0) {
    Signal(SIGTERM);
    if (const auto ended = Wait(grace))
      return *ended;
  }
  LetGo();
  if (supervised_) {
    if (const auto ended = Wait(kSupervisorPatience))
      return *ended;
    Signal(SIGKILL);
  }
  ended_ = Reap(pid_);
  return *ended_;
}

}  // namespace croq::process
