#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>

#include "croq/backend/python_workers.h"
#include "croq/base/result.h"
#include "croq/tune/builder.h"

namespace croq::backend {

struct CompilePoolOptions {
  PythonWorkers python;
  int workers = 1;
  /// Below it: cubins/<fingerprint>.cubin, logs/, and one scratch folder a worker. What
  /// an earlier pool left in the scratch folders is removed.
  std::filesystem::path work_folder;
  std::chrono::milliseconds least_deadline{10'000};  ///< of one compile, once times are known
  std::chrono::milliseconds most_deadline{60'000};   ///< of one compile, and until they are
};

/// Compile workers and the one thread that serves them.
///
/// The workers start in parallel at once; nobody waits for them. A job whose worker dies, hangs
/// past its deadline or talks nonsense is run once more, on a fresh worker, before it is blamed: a
/// crash gives kCompile with the signal in the reason, a hang kTimeout. What the compiler printed
/// is kept in a log where a job failed. A worker that can't start three times in a row ends the
/// pool: Submit and Next then give that error.
class CompilePool : public tune::Builder {
 public:
  /// Error: the work folder can't be made.
  static Result<std::unique_ptr<CompilePool>> Start(const CompilePoolOptions& options);
  ~CompilePool() override;

  /// The workers and as many jobs again, so that none waits for the caller.
  int Capacity() const override;
  /// Error: the pool has ended.
  Status Submit(std::int64_t ticket, CompileJob job) override;
  /// Error: the pool has ended, or the disk is full.
  Result<std::optional<tune::BuildResult>> Next(std::chrono::milliseconds wait) override;
  int Pending() const override;

  /// How many workers had to be replaced so far, for whatever reason.
  int Replacements() const;

 private:
  class Impl;
  explicit CompilePool(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace croq::backend
