#pragma once

#include <string>

namespace croq::process {

/// How a process ended: an exit code, or the signal that killed it.
struct ExitStatus {
  int code = 0;
  int signal = 0;  ///< 0: it exited by itself

  bool Succeeded() const { return code == 0 && signal == 0; }
  /// `exited with 3`, `killed by SIGSEGV (11)`.
  std::string Text() const;

  friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

/// From wait(2)'s status word.
ExitStatus FromWaitStatus(int wait_status);

/// Of a command under croq-supervisor, which exits with 128 + signal where a signal killed it.
ExitStatus FromSupervisor(const ExitStatus& supervisor);

}  // namespace croq::process
