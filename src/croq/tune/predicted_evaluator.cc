#include "croq/tune/predicted_evaluator.h"

#include "croq/search/cost_model.h"

namespace croq::tune {

double PredictedEvaluator::Predict(const Candidate& candidate) const {
  const search::BuiltResources built{candidate.build.registers, candidate.build.local_bytes,
                                     candidate.build.shared_bytes};
  return search::PredictMillis(shape_, device_, candidate.config, &built);
}

Result<Evaluation> PredictedEvaluator::Screen(const Candidate& candidate, double) {
  Evaluation evaluation;
  evaluation.time_ms = Predict(candidate);
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
  standing.max_abs_err = reply.max_abs_err;
  standing.cold_ms = Predict(candidate);
  standing.contract_ms = standing.cold_ms;
  if (best != nullptr) {
    // A prediction has no spread: the interval is the value.
    const double ratio = Predict(*best) / standing.cold_ms;
    standing.of_best = {ratio, ratio, ratio};
  }
  return standing;
}

Result<ContractTiming> PredictedEvaluator::ContractTime(const Candidate& candidate) {
  return ContractTiming{Outcome::kCorrect, "", Predict(candidate)};
}

}  // namespace croq::tune
