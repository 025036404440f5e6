#pragma once

#include <filesystem>

#include "croq/base/fd.h"
#include "croq/base/result.h"

namespace croq::journal {

/// One croq a session. The lock is the kernel's (flock), so it goes when its holder does, however
/// that ends; the text inside (pid, host, since when) only says who holds it. The descriptor is
/// close-on-exec: workers and runners never keep a session locked.
class SessionLock {
 public:
  /// Usage error that names the holder where another croq has it.
  static Result<SessionLock> Take(const std::filesystem::path& path);

 private:
  explicit SessionLock(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
};

}  // namespace croq::journal
