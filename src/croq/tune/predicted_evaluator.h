#pragma once

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
  PredictedEvaluator(const ShapeKey& shape, const DeviceFacts& device, NumericCheck& numerics)
      : shape_(shape), device_(device), numerics_(numerics) {}

  bool Predicted() const override { return true; }
  Result<Evaluation> Screen(const Candidate& candidate, double incumbent_ms) override;
  /// The fastest predicted finalist whose numbers are right in the interpreter.
  Result<std::optional<std::size_t>> Settle(const std::vector<Candidate>& finalists,
                                            std::vector<Rejected>& rejected) override;
  Result<Standing> Judge(const Candidate& candidate, const Candidate* best) override;
  Result<ContractTiming> ContractTime(const Candidate& candidate) override;

 private:
  double Predict(const Candidate& candidate) const;

  ShapeKey shape_;
  DeviceFacts device_;
  NumericCheck& numerics_;
};

}  // namespace croq::tune
