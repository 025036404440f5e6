#include "croq/tune/predicted_evaluator.h"

#include "croq/search/cost_model.h"

namespace croq::tune {

PredictedEvaluator::PredictedEvaluator(const ShapeKey& shape, const DeviceFacts& device,
                                       NumericCheck& numerics)
    : PredictedEvaluator(
          [shape, device](const Candidate& candidate) {
            const search::BuiltResources built{candidate.build.registers,
                                               candidate.build.local_bytes,
                                               candidate.build.shared_bytes};
            return search::PredictMillis(shape, device, candidate.config, &built);
          },
          numerics) {}

Result<Evaluation> PredictedEvaluator::Screen(const Candidate& candidate, double) {
  Evaluation evaluation;
  evaluation.time_ms = model_(candidate);
  return evaluation;
}

Result<std::optional<std::size_t>> PredictedEvaluator::Settle(
    const std::vector<Candidate>& finalists, std::vector<Rejected>& rejected) {
  for (std::size_t i = 0; i < finalists.size(); ++i) {
    CROQ_ASSIGN(const NumericReply reply, numerics_.Check(finalists[i]));
    if (reply.outcome == Outcome::kCorrect) return i;
    rejected.push_back({i, reply.outcome, reply.reason});
  }
  return std::nullopt;
}

Result<Standing> PredictedEvaluator::Judge(const Candidate& candidate, const Candidate* best) {
  Standing standing;
  CROQ_ASSIGN(const NumericReply reply, numerics_.Check(candidate));
  standing.outcome = reply.outcome;
  standing.reason = reply.outcome == Outcome::kCorrect ? reply.checked_as : reply.reason;
  standing.checked = reply.checked;
  standing.max_abs_err = reply.max_abs_err;
  standing.cold_ms = model_(candidate);
  standing.contract_ms = standing.cold_ms;
  if (best != nullptr) {
    // A prediction has no spread: the interval is the value.
    const double ratio = model_(*best) / standing.cold_ms;
    standing.of_best = {ratio, ratio, ratio};
  }
  if (first_ms_ > 0) {
    const double ratio = first_ms_ / standing.cold_ms;
    standing.of_first = {ratio, ratio, ratio};
  }
  return standing;
}

Result<ContractTiming> PredictedEvaluator::ContractTime(const Candidate& candidate) {
  return ContractTiming{Outcome::kCorrect, "", model_(candidate)};
}

}  // namespace croq::tune
