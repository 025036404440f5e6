#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "croq/model/device.h"
#include "croq/model/shape_key.h"
#include "croq/tune/evaluator.h"
#include "croq/tune/numeric_check.h"

namespace croq::tune {

/// Judges candidates without a GPU: times come from the cost model, which sees what the compiler
/// gave (registers, spills, shared memory); numerics from the interpreter. Every figure it returns
/// is a prediction.
class PredictedEvaluator : public Evaluator {
 public:
  /// Milliseconds of a built candidate.
  using Model = std::function<double(const Candidate&)>;

  PredictedEvaluator(const ShapeKey& shape, const DeviceFacts& device, NumericCheck& numerics);
  PredictedEvaluator(Model model, NumericCheck& numerics)
      : model_(std::move(model)), numerics_(numerics) {}

  bool Predicted() const override { return true; }
  void SetFirst(const Candidate&, double ms) override { first_ms_ = ms; }
  Result<Evaluation> Screen(const Candidate& candidate, double incumbent_ms) override;
  /// The fastest predicted finalist whose numbers are right in the interpreter.
  Result<std::optional<std::size_t>> Settle(const std::vector<Candidate>& finalists,
                                            std::vector<Rejected>& rejected) override;
  Result<Standing> Judge(const Candidate& candidate, const Candidate* best) override;
  Result<ContractTiming> ContractTime(const Candidate& candidate) override;

 private:
  Model model_;
  NumericCheck& numerics_;
  double first_ms_ = 0;
};

}  // namespace croq::tune
