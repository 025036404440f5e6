#pragma once

#include <memory>

#include "croq/model/launch_plan.h"
#include "croq/model/runner_messages.h"
#include "croq_runner/bench.h"
#include "croq_runner/fault.h"
#include "croq_runner/launcher.h"
#include "croq_runner/stopwatch.h"

namespace croq::runner {

/// Something that can be launched on the bench's input sets: a plan, cuBLAS, cublasLt's best.
class Subject {
 public:
  /// `plan` is used where `kind` is kPlan. Fault: the plan can't be loaded, or there is no baseline
  /// on this bench.
  static Ran<Subject> Create(Bench& bench, DuelReference kind, const LaunchPlan& plan);

  const LaunchFunction& launch() const { return launch_; }
  /// To be timed on one input set. The subject must not move until then.
  Stopwatch::Turn On(int set) const { return {&launch_, set, entries_, before_}; }
  /// The same without flushing the L2 after in-place tensors were restored: a warm launch.
  Stopwatch::Turn WarmOn(int set) const { return {&launch_, set, entries_, warm_before_}; }
  /// Null for baselines.
  PlanLauncher* plan() { return plan_.get(); }

  /// Gives the modules and the memory up without freeing them: behind a kernel that never ends,
  /// freeing would wait for ever. The process is about to end.
  void Abandon() { static_cast<void>(plan_.release()); }

 private:
  std::unique_ptr<PlanLauncher> plan_;
  LaunchFunction launch_;
  const Preparation* before_ = nullptr;  ///< the bench's, of plans
  const Preparation* warm_before_ = nullptr;
  int entries_ = 4;  ///< for cuBLAS: a kernel or two, perhaps a memset
};

}  // namespace croq::runner
