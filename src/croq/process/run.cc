#include "croq/process/run.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "croq/base/clock.h"
#include "croq/base/files.h"
#include "croq/process/pipe.h"

namespace croq::process {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// After the end of its output a command usually has ended; one that closed stdout and goes on
/// keeps its deadline.
void CollectUntil(const Subprocess& process, BoundedCapture& capture,
                  steady_clock::time_point deadline) {
  while (const int left = PollMillis(deadline)) {
    pollfd item{process.output_fd().get(), POLLIN, 0};
    if (::poll(&item, 1, left) < 0 && errno != EINTR)
      return;
    if (item.revents != 0 && !DrainInto(process.output_fd(), capture))
      return;
  }
}

}  // namespace

bool DrainInto(const Fd& fd, BoundedCapture& capture) {
  std::array<char, 65536> chunk;
  // Bounded, so that a child that writes without end can't hold the caller here.
  for (int round = 0; round < 64; ++round) {
    const ssize_t got = ::read(fd.get(), chunk.data(), chunk.size());
    if (got > 0) {
      capture.Append({chunk.data(), static_cast<std::size_t>(got)});
    } else if (got == 0) {
      return false;
    } else if (errno != EINTR) {
      return errno == EAGAIN;
    }
  }
  return true;
}

std::string RunResult::Text() const {
  if (timed_out)
    return fmt::format("still running after {:.0f} s, killed", seconds);
  return status.Text();
}

Result<RunResult> RunToCompletion(const RunOptions& options) {
  const SteadyTime start = steady_clock::now();
  const SteadyTime deadline = start + options.deadline;
  SpawnOptions spawn;
  spawn.argv = options.argv;
  spawn.environment = options.environment;
  spawn.directory = options.directory;
  spawn.output = SpawnOptions::Output::kPipe;
  spawn.supervision = Supervision{options.supervisor, options.limits};
  CROQ_ASSIGN(Subprocess process, Subprocess::Spawn(spawn));

  BoundedCapture capture(options.head_bytes, options.tail_bytes);
  CollectUntil(process, capture, deadline);
  RunResult result;
  const auto ended = process.Wait(milliseconds(PollMillis(deadline)));
  result.timed_out = !ended.has_value();
  result.status = ended ? *ended : process.Kill();
  DrainInto(process.output_fd(), capture);
  result.seconds = SecondsSince(start);
  result.output = capture.Text();
  if (!options.log_path.empty())
    CROQ_TRY(WriteFileAtomic(options.log_path, result.output));
  return result;
}

}  // namespace croq::process
