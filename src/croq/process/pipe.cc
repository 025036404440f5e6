#include "croq/process/pipe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

namespace croq::process {
namespace {

constexpr int kFirstHighDescriptor = 10;

/// Keeps the SIGPIPE of this thread's writes from being delivered: the program's own handling of
/// SIGPIPE (a closed stdout) stays as it is.
class SigpipeGuard {
 public:
  SigpipeGuard() {
    sigemptyset(&sigpipe_);
    sigaddset(&sigpipe_, SIGPIPE);
    sigset_t pending;
    sigemptyset(&pending);
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &sigpipe_, &old_);
  }
  SigpipeGuard(const SigpipeGuard&) = delete;
  SigpipeGuard& operator=(const SigpipeGuard&) = delete;
  ~SigpipeGuard() {
    if (!was_pending_) {
      const timespec now{0, 0};
      while (sigtimedwait(&sigpipe_, nullptr, &now) == -1 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &old_, nullptr);
  }

 private:
  sigset_t sigpipe_;
  sigset_t old_;
  bool was_pending_ = false;
};

Result<Fd> MoveHigh(int low) {
  Fd owner(low);
  Fd high(::fcntl(low, F_DUPFD_CLOEXEC, kFirstHighDescriptor));
  if (!high) {
    return Failure(fmt::format("cannot make a pipe: {} (raise the limit on open files: ulimit -n)",
                               std::strerror(errno)));
  }
  return high;
}

}  // namespace

Result<Pipe> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return Failure(fmt::format("cannot make a pipe: {} (raise the limit on open files: ulimit -n)",
                               std::strerror(errno)));
  }
  Fd write_end(ends[1]);
  Pipe pipe;
  CROQ_ASSIGN(pipe.read, MoveHigh(ends[0]));
  CROQ_ASSIGN(pipe.write, MoveHigh(write_end.Release()));
  return pipe;
}

Status SetNonBlocking(const Fd& fd) {
  const int flags = ::fcntl(fd.get(), F_GETFL);
  if (flags < 0 || ::fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK) != 0) {
    return Failure(
        fmt::format("cannot make descriptor {} non-blocking: {}", fd.get(), std::strerror(errno)));
  }
  return {};
}

int PollMillis(std::chrono::steady_clock::time_point deadline) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000'000));
}

Status WriteAllBefore(const Fd& fd, std::string_view bytes,
                      std::chrono::steady_clock::time_point deadline) {
  const SigpipeGuard guard;
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd.get(), bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
      continue;
    }
    if (errno == EINTR)
      continue;
    if (errno != EAGAIN)
      return Failure(fmt::format("cannot write: {}", std::strerror(errno)));
    const int wait = PollMillis(deadline);
    if (wait == 0)
      return Failure("cannot write: the reader does not take the bytes");
    pollfd item{fd.get(), POLLOUT, 0};
    ::poll(&item, 1, wait);
  }
  return {};
}

}  // namespace croq::process
