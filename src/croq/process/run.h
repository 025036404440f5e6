#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/process/bounded_capture.h"
#include "croq/process/environment.h"
#include "croq/process/exit_status.h"
#include "croq/process/subprocess.h"

namespace croq::process {

struct RunOptions {
  std::vector<std::string> argv;
  Environment environment;
  std::filesystem::path directory;
  std::chrono::milliseconds deadline{60'000};
  Limits limits;
  std::filesystem::path supervisor;  ///< FindSibling("croq-supervisor")
  /// Output kept: this much of its start and of its end.
  std::size_t head_bytes = BoundedCapture::kDefaultBytes;
  std::size_t tail_bytes = BoundedCapture::kDefaultBytes;
  std::filesystem::path log_path;  ///< the kept output is written there too; empty: nowhere
};

struct RunResult {
  ExitStatus status;
  bool timed_out = false;  ///< it was killed at the deadline
  std::string output;      ///< stdout and stderr together, capped
  double seconds = 0;      ///< wall

  bool Succeeded() const { return !timed_out && status.Succeeded(); }
  /// `exited with 3`, `killed by SIGSEGV (11)`, `still running after 60 s, killed`.
  std::string Text() const;
};

/// Runs a command under the supervisor until it ends or its deadline passes; then nothing that it
/// started is left. How the command ended is data; errors: it can't be started, the log can't be
/// written.
Result<RunResult> RunToCompletion(const RunOptions& options);

/// Appends what a non-blocking descriptor holds now. False once its writers have closed it.
bool DrainInto(const Fd& fd, BoundedCapture& capture);

}  // namespace croq::process
