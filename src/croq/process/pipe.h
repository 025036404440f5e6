#pragma once

#include <chrono>
#include <string_view>

#include "croq/base/fd.h"
#include "croq/base/result.h"

namespace croq::process {

struct Pipe {
  Fd read;
  Fd write;
};

/// Both ends close-on-exec and numbered 10 or higher, so that a spawn can place them on the low
/// descriptors of a child without treading on one another. Error: errno.
Result<Pipe> MakePipe();

Status SetNonBlocking(const Fd& fd);

/// Writes all of it to a pipe, waiting up to `deadline` where it is full. A reader that is gone is
/// an error, never a SIGPIPE. The descriptor must be non-blocking. Errors: errno, deadline passed
/// (part of the bytes may have been written).
Status WriteAllBefore(const Fd& fd, std::string_view bytes,
                      std::chrono::steady_clock::time_point deadline);

/// Milliseconds from now until `deadline` for poll(2), rounded up, 0 when it has passed.
int PollMillis(std::chrono::steady_clock::time_point deadline);

}  // namespace croq::process
