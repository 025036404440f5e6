#include "croq/cli/hello_probe.h"

#include <fmt/format.h>
#include <poll.h>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>

#include "croq/process/bounded_capture.h"
#include "croq/process/pipe.h"
#include "croq/process/run.h"
#include "croq/process/subprocess.h"
#include "croq/protocol/frame.h"

namespace croq::cli {
namespace {

using std::chrono::milliseconds;

/// The first frame, or nothing when the child closed its end or the deadline passed.
Result<std::optional<std::string>> FirstFrame(const process::Subprocess& child,
                                              process::BoundedCapture& output,
                                              std::chrono::steady_clock::time_point deadline) {
  protocol::FrameReader frames;
  bool printing = true;
  while (const int left = process::PollMillis(deadline)) {
    std::array<pollfd, 2> items{{{child.reply_fd().get(), POLLIN, 0},
                                 {printing ? child.output_fd().get() : -1, POLLIN, 0}}};
    if (::poll(items.data(), items.size(), left) < 0 && errno != EINTR)
      break;
    if (items[1].revents != 0)
      printing = process::DrainInto(child.output_fd(), output);
    if (items[0].revents == 0)
      continue;
    CROQ_ASSIGN(const bool open, frames.FillFrom(child.reply_fd().get()));
    CROQ_ASSIGN(std::optional<std::string> frame, frames.Next());
    if (frame || !open)
      return frame;
  }
  return std::optional<std::string>();
}

}  // namespace

Result<nlohmann::json> AskHello(const HelloProbe& probe) {
  process::SpawnOptions options;
  options.argv = probe.argv;
  options.environment = probe.environment;
  options.request_pipes = true;
  options.output = process::SpawnOptions::Output::kPipe;
  options.supervision = process::Supervision{probe.supervisor, {}};
  CROQ_ASSIGN(process::Subprocess child, process::Subprocess::Spawn(options));

  process::BoundedCapture output;
  const auto deadline = std::chrono::steady_clock::now() + probe.deadline;
  CROQ_ASSIGN(const std::optional<std::string> frame, FirstFrame(child, output, deadline));
  if (frame)
    return protocol::ParseMessage(*frame);

  const bool silent = process::PollMillis(deadline) == 0;
  const auto ended = child.Wait(milliseconds(silent ? 0 : 1000));
  process::DrainInto(child.output_fd(), output);
  const std::string last = process::LastLine(output.Text());
  const std::string how = ended
                              ? process::FromSupervisor(*ended).Text()
                              : fmt::format("said nothing for {} s", probe.deadline.count() / 1000);
  return Failure(fmt::format("it {}{}{}", how, last.empty() ? "" : ": ", last));
}

}  // namespace croq::cli
