#pragma once

#include <memory>

#include "croq/model/device.h"
#include "croq/model/runner_messages.h"
#include "croq_runner/baseline.h"
#include "croq_runner/device_objects.h"
#include "croq_runner/driver.h"
#include "croq_runner/launcher.h"
#include "croq_runner/nvml.h"
#include "croq_runner/operand_sets.h"
#include "croq_runner/problem_operands.h"
#include "croq_runner/stopwatch.h"

namespace croq::runner {

/// One device, opened, with the operands of one problem: what trials, duels and timings run on.
/// Used by one thread.
class Bench {
 public:
  /// Opens the device and makes its context current. `driver` and `watchdog` (may be null) must
  /// outlive the bench.
  static Result<std::unique_ptr<Bench>> Open(const Driver& driver, int ordinal, Watchdog* watchdog);

  /// Operands and baseline of a problem, in place of any before. That there is no baseline is said
  /// in the reply, not an error.
  Result<PrepareReply> Prepare(const PrepareRequest& request);

  const Driver& driver() const { return driver_; }
  const DeviceFacts& device() const { return device_; }
  CUstream stream() const { return stream_.get(); }
  Stopwatch& stopwatch() { return *stopwatch_; }
  bool has_nvml() const { return nvml_ != nullptr; }

  bool prepared() const { return operands_ != nullptr; }
  OperandSets& operands() { return *operands_; }
  /// Null where a matmul is prepared.
  ProblemOperands* problem() { return problem_; }
  const OperandPlaces& places() const { return places_; }
  /// Null where there is none; `baseline_problem` says why.
  Baseline* baseline() { return baseline_.get(); }
  const std::string& baseline_problem() const { return baseline_problem_; }

  /// What a launch of a plan wants before it, with and without a flush of the L2 behind it; null
  /// where no tensor is overwritten in place.
  const Preparation* preparation() const { return InPlace(cold_preparation_); }
  const Preparation* warm_preparation() const { return InPlace(warm_preparation_); }

  /// The input sets in turn, over all requests: a set is used again only after all others.
  int NextSet();
  /// As read in the latest held batch or loop; zeros without NVML.
  ClockReading clock() const { return clock_; }

 private:
  Bench(const Driver& driver, Context context, Stream stream)
      : driver_(driver), context_(std::move(context)), stream_(std::move(stream)) {}

  Result<PrepareReply> PrepareMatmul(const PrepareRequest& request);
  Result<PrepareReply> PrepareProblem(const PrepareRequest& request);
  const Preparation* InPlace(const Preparation& preparation) const {
    return operands_ != nullptr && operands_->HasInPlace() ? &preparation : nullptr;
  }

  const Driver& driver_;
  Context context_;
  Stream stream_;
  DeviceFacts device_;
  std::unique_ptr<Nvml> nvml_;
  std::unique_ptr<Stopwatch> stopwatch_;
  std::unique_ptr<OperandSets> operands_;
  ProblemOperands* problem_ = nullptr;  ///< operands_, where it is one
  Preparation cold_preparation_;
  Preparation warm_preparation_;
  OperandPlaces places_;
  std::unique_ptr<Baseline> baseline_;  ///< after operands_, which it uses
  std::string baseline_problem_;
  ClockReading clock_;
  int next_set_ = 0;
};

}  // namespace croq::runner
