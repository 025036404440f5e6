#include "croq/tune/measured_evaluator.h"

#include <fmt/format.h>

#include "croq/measure/paired.h"
#include "croq/measure/statistics.h"

namespace croq::tune {
namespace {

// A configuration this much slower than the best can't win and is timed by a few launches only.
constexpr double kPlainlySlow = 1.25;
/// The fastest of three samples is within 2% of the median of ten; finalists lie within less.
constexpr double kHardlyBest = 1.06;

std::string DescribeState(const Timing& timing) {
  if (timing.sm_clock_mhz == 0) return "";
  return fmt::format("{} MHz, throttle 0x{:x}", timing.sm_clock_mhz, timing.throttle_reasons);
}

}  // namespace

Result<Evaluation> MeasuredEvaluator::Screen(const Candidate& candidate, double incumbent_ms) {
  TrialRequest request;
  request.plan = candidate.plan;
  request.stop_above_ms = incumbent_ms * kPlainlySlow;
  request.halve_above_ms = incumbent_ms * kHardlyBest;
  CROQ_ASSIGN(const TrialReply reply, runner_.RunTrial(request));
  Evaluation evaluation;
  evaluation.outcome = reply.outcome;
  evaluation.reason = reply.reason;
  evaluation.load_ms = reply.load_ms;
  evaluation.check_ms = reply.check_ms;
  evaluation.timing_ms = reply.timing_ms;
  if (reply.check) evaluation.max_abs_err = reply.check->max_abs_err;
  if (reply.timing) {
    evaluation.time_ms = reply.timing->median_ms;
    evaluation.device_state = DescribeState(*reply.timing);
    evaluation.sm_clock_mhz = reply.timing->sm_clock_mhz;
  }
  return evaluation;
}

Result<std::optional<std::size_t>> MeasuredEvaluator::Settle(
    const std::vector<Candidate>& finalists, std::vector<Rejected>& rejected) {
  std::optional<std::size_t> leader;
  for (std::size_t i = 0; i < finalists.size(); ++i) {
    TrialRequest check;
    check.plan = finalists[i].plan;
    check.check_all_sets = true;
    CROQ_ASSIGN(const TrialReply reply, runner_.RunTrial(check));
    if (reply.outcome != Outcome::kCorrect) {
      rejected.push_back({i, reply.outcome, reply.reason});
      continue;
    }
    if (!leader) {
      leader = i;
      continue;
    }
    DuelRequest duel;
    duel.candidate = finalists[i].plan;
    duel.reference = DuelReference::kPlan;
    duel.reference_plan = finalists[*leader].plan;
    duel.max_wall_ms = 700;
    Standing standing;
    CROQ_ASSIGN(const Ratio ratio, RunOne(std::move(duel), standing));
    if (standing.outcome != Outcome::kCorrect) {
      rejected.push_back({i, standing.outcome, standing.reason});
    } else if (ratio.value > 1) {
      leader = i;
    }
  }
  return leader;
}

Result<Ratio> MeasuredEvaluator::RunOne(DuelRequest request, Standing& standing) {
  CROQ_ASSIGN(const DuelReply reply, runner_.RunDuel(request));
  if (reply.outcome != Outcome::kCorrect) {
    standing.outcome = reply.outcome;
    standing.reason = reply.reason;
    return Ratio{};
  }
  standing.cold_ms = measure::Median(reply.duel.candidate_ms);
  const measure::RatioInterval interval = measure::PairedRatio(reply.duel);
  return Ratio{interval.ratio, interval.low, interval.high};
}

Result<Standing> MeasuredEvaluator::Judge(const Candidate& candidate, const Candidate* best) {
  Standing standing;
  TrialRequest check;
  check.plan = candidate.plan;
  check.check_all_sets = true;
  CROQ_ASSIGN(const TrialReply checked, runner_.RunTrial(check));
  standing.outcome = checked.outcome;
  standing.reason = checked.reason;
  if (checked.check) standing.max_abs_err = checked.check->max_abs_err;
  if (checked.outcome != Outcome::kCorrect) return standing;
  DuelRequest duel;
  duel.candidate = candidate.plan;
  const auto against_plan = [&](const LaunchPlan& plan) {
    DuelRequest against = duel;
    against.reference = DuelReference::kPlan;
    against.reference_plan = plan;
    return RunOne(std::move(against), standing);
  };
  if (best != nullptr) {
    CROQ_ASSIGN(standing.of_best, against_plan(best->plan));
  }
  if (first_ && standing.outcome == Outcome::kCorrect) {
    CROQ_ASSIGN(standing.of_first, against_plan(*first_));
  }
  if (heuristic_ && standing.outcome == Outcome::kCorrect) {
    DuelRequest against_heuristic = duel;
    against_heuristic.reference = DuelReference::kCublasLtBest;
    CROQ_ASSIGN(standing.of_heuristic, RunOne(std::move(against_heuristic), standing));
  }
  if (baseline_ && standing.outcome == Outcome::kCorrect) {
    CROQ_ASSIGN(standing.of_baseline, RunOne(std::move(duel), standing));
  }
  if (standing.outcome == Outcome::kCorrect) {
    CROQ_ASSIGN(ContractTiming timing, ContractTime(candidate));
    standing.outcome = timing.outcome;
    standing.reason = std::move(timing.reason);
    standing.contract_ms = timing.ms;
  }
  return standing;
}

Result<ContractTiming> MeasuredEvaluator::ContractTime(const Candidate& candidate) {
  TimeRequest request;
  request.plan = candidate.plan;
  CROQ_ASSIGN(const TimeReply reply, runner_.Time(request));
  if (reply.outcome != Outcome::kCorrect) {
    return ContractTiming{reply.outcome, "in the contract regime: " + reply.reason, 0};
  }
  return ContractTiming{Outcome::kCorrect, "", reply.timing.median_ms};
}

}  // namespace croq::tune
