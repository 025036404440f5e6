#pragma once

#include <sys/types.h>

#include "croq/base/fd.h"
#include "croq/base/result.h"
#include "croq/process/subprocess.h"

namespace croq::process {

/// A child that runs, and this side of its pipes. Use Subprocess, which owns and reaps it.
struct SpawnedChild {
  pid_t pid = -1;
  Fd lifeline;
  Fd request;
  Fd reply;
  Fd output;
};

Result<SpawnedChild> SpawnChild(const SpawnOptions& options);

}  // namespace croq::process
