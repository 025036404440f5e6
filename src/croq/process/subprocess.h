#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "croq/base/fd.h"
#include "croq/base/result.h"
#include "croq/process/environment.h"
#include "croq/process/exit_status.h"

namespace croq::process {

/// What one process may use; 0: no limit. Exceeding cpu_seconds or file_bytes kills it (SIGXCPU,
/// SIGXFSZ); allocations beyond memory_bytes fail. Each process under the supervisor gets these for
/// itself; they are not a sum over the tree. Core dumps are always off under the supervisor.
struct Limits {
  std::int64_t memory_bytes = 0;  ///< RLIMIT_DATA: private writable memory, not reserved addresses
  std::int64_t cpu_seconds = 0;
  std::int64_t file_bytes = 0;  ///< largest file it may write
};

/// Puts a child under croq-supervisor: when this process dies or lets go, or the command ends,
/// everything that the command started is killed as well.
struct Supervision {
  std::filesystem::path supervisor;  ///< the program (FindSibling("croq-supervisor"))
  Limits limits;
};

struct SpawnOptions {
  /// argv[0]: a path; under supervision also a name that PATH of `environment` finds.
  std::vector<std::string> argv;
  Environment environment;
  std::filesystem::path directory;  ///< working directory; empty: this process's own
  /// Pipes on the child's descriptors 3 (it reads requests) and 4 (it writes replies).
  bool request_pipes = false;
  /// Where stdout and stderr go, together.
  enum class Output { kNull, kFile, kPipe };
  Output output = Output::kNull;
  std::filesystem::path log_path;  ///< where output is kFile; made or cut to nothing
  std::optional<Supervision> supervision;
};

/// A child process in a process group of its own, with stdin from /dev/null and no descriptors but
/// those of SpawnOptions. No shell is involved. Destroying it kills and reaps the child.
class Subprocess {
 public:
  /// Errors: a pipe or the log file can't be made, the program can't be started. Under supervision
  /// a command that can't be started is not an error here: it ends with code 127 and says why on
  /// its stderr.
  static Result<Subprocess> Spawn(const SpawnOptions& options);

  Subprocess(Subprocess&& other) noexcept { *this = std::move(other); }
  Subprocess& operator=(Subprocess&& other) noexcept;
  ~Subprocess();

  /// Of the child itself; under supervision that is the supervisor.
  pid_t pid() const { return pid_; }
  /// This side of descriptor 3, non-blocking.
  const Fd& request_fd() const { return request_; }
  /// This side of descriptor 4, non-blocking.
  const Fd& reply_fd() const { return reply_; }
  /// The reading end of stdout and stderr, non-blocking.
  const Fd& output_fd() const { return output_; }
  void CloseRequests() { request_.Close(); }

  /// How it ended, waiting up to `wait`; nothing when it still runs. Under supervision this is the
  /// command's end, known once the whole tree is gone.
  std::optional<ExitStatus> Wait(std::chrono::milliseconds wait);
  bool Running() { return !Wait(std::chrono::milliseconds(0)).has_value(); }

  /// Starts the killing and returns at once: SIGKILL to the group, or to the whole tree under
  /// supervision.
  void LetGo();
  /// SIGTERM to the group, SIGKILL after `grace` (0: at once); reaps it.
  ExitStatus Kill(std::chrono::milliseconds grace = std::chrono::milliseconds(0));

 private:
  Subprocess() = default;

  /// Sends to the group; the supervisor passes SIGTERM on to the command's group.
  void Signal(int signal) const;
  bool WaitReadable(std::chrono::steady_clock::time_point deadline) const;
  void Reset();

  pid_t pid_ = -1;  ///< -1: owns no child (moved from)
  Fd pidfd_;        ///< none on kernels without pidfd_open: Wait polls then
  Fd lifeline_;     ///< open: the supervisor keeps the command alive
  Fd request_;
  Fd reply_;
  Fd output_;
  bool supervised_ = false;
  std::optional<ExitStatus> ended_;
};

}  // namespace croq::process
