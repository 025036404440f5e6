#include <fcntl.h>
#include <fmt/format.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <optional>
#include <string_view>

#include "croq/protocol/version.h"
#include "croq_runner/serve.h"

namespace {

constexpr std::string_view kUsage =
    "usage: croq-runner --read-fd N --write-fd N\n"
    "Runs kernels on one GPU for croq: frames of JSON in and out.\n";

constexpr int kUsageExit = 2;

/// A descriptor that is open in this process.
std::optional<int> ParseDescriptor(std::string_view text) {
  int fd = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), fd);
  if (code != std::errc() || end != text.data() + text.size() || fd < 0)
    return std::nullopt;
  if (::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
    return std::nullopt;
  return fd;
}

int UsageError(std::string_view message) {
  fmt::print(stderr, "croq-runner: {}\n{}", message, kUsage);
  return kUsageExit;
}

}  // namespace

int main(int argc, char** argv) {
  std::optional<int> read_fd;
  std::optional<int> write_fd;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--help") {
      fmt::print("{}", kUsage);
      return 0;
    }
    if (option == "--version") {
      fmt::print("croq-runner {}\n", croq::protocol::kCroqVersion);
      return 0;
    }
    if (option != "--read-fd" && option != "--write-fd") {
      return UsageError(fmt::format("unknown option {}", option));
    }
    if (++i == argc)
      return UsageError(fmt::format("{} needs a descriptor", option));
    std::optional<int>& fd = option == "--read-fd" ? read_fd : write_fd;
    fd = ParseDescriptor(argv[i]);
    if (!fd)
      return UsageError(fmt::format("{} {} is no open descriptor", option, argv[i]));
  }
  if (!read_fd || !write_fd)
    return UsageError("--read-fd and --write-fd are needed");
  // An engine that is gone must show as a failed write, not as a death by signal.
  std::signal(SIGPIPE, SIG_IGN);
  return croq::runner::Serve(*read_fd, *write_fd);
}
