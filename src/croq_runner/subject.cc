#include "croq_runner/subject.h"

#include <utility>

namespace croq::runner {

Ran<Subject> Subject::Create(Bench& bench, DuelReference kind, const LaunchPlan& plan) {
  Subject subject;
  if (kind == DuelReference::kPlan) {
    CROQ_ASSIGN(subject.plan_,
                PlanLauncher::Create(bench.driver(), plan, bench.places(), bench.device()));
    subject.before_ = bench.preparation();
    subject.warm_before_ = bench.warm_preparation();
    subject.entries_ = subject.plan_->QueueEntries();
    subject.launch_ = [launcher = subject.plan_.get(), stream = bench.stream()](int set) {
      return launcher->Launch(set, stream);
    };
    return subject;
  }
  if (bench.baseline() == nullptr)
    return Refusal("no baseline here: " + bench.baseline_problem());
  const bool best = kind == DuelReference::kCublasLtBest;
  subject.launch_ = [&bench, best](int set) {
    Baseline& baseline = *bench.baseline();
    return Blamed(bench.driver(), bench.stream(),
                  best ? baseline.LaunchBestHeuristic(set, bench.stream())
                       : baseline.Launch(set, bench.stream()));
  };
  return subject;
}

}  // namespace croq::runner
