#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "croq/base/result.h"
#include "croq/model/compile_job.h"
#include "croq/model/launch_plan.h"
#include "croq/model/outcome.h"

namespace croq::tune {

/// What became of one compile job. A failed candidate is data; only a pool that can't work at all
/// (no interpreter, no fork) is an error.
struct BuildResult {
  std::int64_t ticket = 0;
  Outcome outcome = Outcome::kCorrect;  ///< kCorrect, kConstraints, kCompile or kTimeout
  std::string reason;
  std::string log_path;        ///< what the compiler printed, kept where it failed; may be empty
  CompiledKernel kernel;       ///< where outcome is kCorrect
  double compile_ms = 0;
};

/// Compiles kernels beside the measuring. One thread calls it; the work is done elsewhere.
class Builder {
 public:
  virtual ~Builder() = default;

  /// How many jobs keep it busy without waiting (workers plus a small queue).
  virtual int Capacity() const = 0;
  /// Queues a job; results come in any order. The ticket is the caller's.
  virtual Status Submit(std::int64_t ticket, CompileJob job) = 0;
  /// The next finished job, waiting up to `wait`; nothing when none came in time.
  virtual Result<std::optional<BuildResult>> Next(std::chrono::milliseconds wait) = 0;
  /// Jobs submitted and not yet returned by Next.
  virtual int Pending() const = 0;
};

}  // namespace croq::tune
