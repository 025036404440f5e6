#include "croq_runner/duel.h"

#include <algorithm>
#include <vector>

#include "croq/base/clock.h"
#include "croq/measure/paired.h"
#include "croq_runner/subject.h"

namespace croq::runner {
namespace {

/// Pairs between two looks at the interval.
constexpr int kPairsPerLook = 10;

Ran<void> WarmUp(Bench& bench, const Subject& subject, int launches, LaunchLimits& limits) {
  std::vector<Stopwatch::Turn> turns;
  // At least one: what loads code at its first launch must not do so behind a held stream.
  for (int i = 0; i < std::max(launches, 1); ++i) {
    turns.push_back(subject.On(bench.NextSet()));
  }
  CROQ_ASSIGN(const std::vector<double> times, bench.stopwatch().TimeUnheld(turns, limits));
  limits.typical_ms = std::max(limits.typical_ms, times.back());
  return {};
}

/// Pair i goes candidate first where i is even.
Ran<void> RunPairs(Bench& bench, const Subject& candidate, const Subject& reference, int count,
                   const LaunchLimits& limits, Duel& duel) {
  const std::size_t done = duel.candidate_ms.size();
  std::vector<Stopwatch::Turn> turns;
  for (std::size_t pair = done; pair < done + static_cast<std::size_t>(count); ++pair) {
    const bool candidate_first = pair % 2 == 0;
    const Subject& first = candidate_first ? candidate : reference;
    const Subject& second = candidate_first ? reference : candidate;
    turns.push_back(first.On(bench.NextSet()));
    turns.push_back(second.On(bench.NextSet()));
  }
  CROQ_ASSIGN(const std::vector<double> times, bench.stopwatch().TimeEach(turns, limits));
  for (std::size_t i = 0; i < times.size(); i += 2) {
    const bool candidate_first = (done + i / 2) % 2 == 0;
    duel.candidate_ms.push_back(times[candidate_first ? i : i + 1]);
    duel.reference_ms.push_back(times[candidate_first ? i + 1 : i]);
  }
  return {};
}

Ran<void> RunAll(Bench& bench, const DuelRequest& request, const Subject& candidate,
                 const Subject& reference, Duel& duel) {
  const SteadyTime start = std::chrono::steady_clock::now();
  LaunchLimits limits{request.deadline_ms, 0};
  CROQ_TRY(WarmUp(bench, candidate, request.warmup, limits));
  CROQ_TRY(WarmUp(bench, reference, request.warmup, limits));
  const measure::DuelStop stop{request.min_pairs, request.max_pairs, kDuelHalfWidth};
  int done = 0;
  while (done < request.max_pairs) {
    const int wanted = done < request.min_pairs ? std::min(request.min_pairs - done, kPairsPerLook)
                                                : kPairsPerLook;
    const int count = std::min(wanted, request.max_pairs - done);
    CROQ_TRY(RunPairs(bench, candidate, reference, count, limits, duel));
    done += count;
    if (1e3 * SecondsSince(start) >= request.max_wall_ms)
      break;
    if (done >= request.min_pairs && measure::HasEnoughPairs(measure::PairedRatio(duel), stop)) {
      break;
    }
  }
  return {};
}

void Fail(DuelReply& reply, const Fault& fault) {
  reply.outcome = fault.outcome;
  reply.reason = fault.reason;
  reply.sticky = fault.sticky;
}

}  // namespace

DuelReply RunDuel(Bench& bench, const DuelRequest& request) {
  DuelReply reply;
  Ran<Subject> candidate = Subject::Create(bench, DuelReference::kPlan, request.candidate);
  if (!candidate) {
    Fail(reply, candidate.error());
    return reply;
  }
  Ran<Subject> reference = Subject::Create(bench, request.reference, request.reference_plan);
  if (!reference) {
    Fail(reply, reference.error());
    if (reference.error().EndsProcess())
      candidate->Abandon();
    return reply;
  }
  const Ran<void> ran = RunAll(bench, request, *candidate, *reference, reply.duel);
  if (!ran) {
    Fail(reply, ran.error());
    if (ran.error().EndsProcess()) {
      candidate->Abandon();
      reference->Abandon();
    }
    return reply;
  }
  reply.sm_clock_mhz = bench.clock().sm_clock_mhz;
  reply.throttle_reasons = bench.clock().throttle_reasons;
  return reply;
}

}  // namespace croq::runner
