#pragma once

#include <optional>
#include <vector>

#include "croq/tune/evaluator.h"
#include "croq/tune/runner.h"

namespace croq::tune {

/// Judges candidates on a GPU, through the runner.
class MeasuredEvaluator : public Evaluator {
 public:
  /// `runner` is prepared and outlives this. `heuristic`: cublasLt's best was found.
  MeasuredEvaluator(Runner& runner, bool baseline, bool heuristic)
      : runner_(runner), baseline_(baseline), heuristic_(heuristic) {}

  bool Predicted() const override { return false; }
  void SetFirst(const Candidate& first, double) override { first_ = first.plan; }
  Result<Evaluation> Screen(const Candidate& candidate, double incumbent_ms) override;
  Result<std::optional<std::size_t>> Settle(const std::vector<Candidate>& finalists,
                                            std::vector<Rejected>& rejected) override;
  Result<Standing> Judge(const Candidate& candidate, const Candidate* best) override;
  Result<ContractTiming> ContractTime(const Candidate& candidate) override;

 private:
  /// One duel; a failed candidate is written into `standing`.
  Result<Ratio> RunOne(DuelRequest request, Standing& standing);

  Runner& runner_;
  bool baseline_;
  bool heuristic_;
  std::optional<LaunchPlan> first_;
};

}  // namespace croq::tune
