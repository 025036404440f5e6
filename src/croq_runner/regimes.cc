#include "croq_runner/regimes.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "croq/base/clock.h"
#include "croq/measure/statistics.h"
#include "croq_runner/subject.h"

namespace croq::runner {
namespace {

// The contract's counts.
constexpr int kWarmup = 10;
constexpr int kTimed = 50;
constexpr int kColdSamples = 50;
constexpr double kSustainedMs = 1000;
constexpr double kLoopMs = 50;
/// A loop of very short kernels ends by its count, so that its limit in time stays meaningful.
constexpr double kMaxLoopLaunches = 5000;

/// One launch by itself: how long it takes, and whether it ends at all.
Ran<LaunchLimits> FirstLaunch(Bench& bench, const Subject& subject, double deadline_ms) {
  LaunchLimits limits{deadline_ms, 0};
  const Stopwatch::Turn turns[] = {subject.On(0), subject.On(0)};
  CROQ_ASSIGN(const std::vector<double> times, bench.stopwatch().TimeUnheld(turns, limits));
  limits.typical_ms = times.back();
  return limits;
}

double Sum(const std::vector<double>& times) {
  return std::accumulate(times.begin(), times.end(), 0.0);
}

/// A kernel that works in place must find its tensors restored at each launch, so the contract's
/// launches can't stand in one loop: each has a pair of events of its own, and the mean counts.
Ran<std::vector<double>> ContractInPlace(Bench& bench, const Subject& subject,
                                         const LaunchLimits& limits) {
  const std::vector<Stopwatch::Turn> warmup(kWarmup, subject.WarmOn(0));
  CROQ_TRY(bench.stopwatch().TimeEach(warmup, limits));
  const std::vector<Stopwatch::Turn> timed(kTimed, subject.WarmOn(0));
  CROQ_ASSIGN(const std::vector<double> times, bench.stopwatch().TimeEach(timed, limits));
  return std::vector<double>{Sum(times) / kTimed};
}

Ran<std::vector<double>> Contract(Bench& bench, const Subject& subject,
                                  const LaunchLimits& limits) {
  if (bench.operands().HasInPlace())
    return ContractInPlace(bench, subject, limits);
  CROQ_TRY(bench.stopwatch().TimeLoop(subject.launch(), kWarmup, 0, limits));
  CROQ_ASSIGN(const double ms, bench.stopwatch().TimeLoop(subject.launch(), kTimed, 0, limits));
  return std::vector<double>{ms / kTimed};
}

Ran<std::vector<double>> Cold(Bench& bench, const Subject& subject, const LaunchLimits& limits) {
  std::vector<Stopwatch::Turn> turns;
  for (int i = 0; i < kColdSamples; ++i) turns.push_back(subject.On(bench.NextSet()));
  return bench.stopwatch().TimeEach(turns, limits);
}

/// Rounds over all sets, restored before each, for as much device time or three times as long by
/// the wall; a sample is a round's mean.
Ran<std::vector<double>> SustainedInPlace(Bench& bench, const Subject& subject,
                                          const LaunchLimits& limits) {
  const SteadyTime start = std::chrono::steady_clock::now();
  std::vector<Stopwatch::Turn> turns;
  for (int set = 0; set < bench.operands().sets(); ++set) turns.push_back(subject.WarmOn(set));
  std::vector<double> rounds;
  double total_ms = 0;
  while (total_ms < kSustainedMs && 1e3 * SecondsSince(start) < 3 * kSustainedMs) {
    CROQ_ASSIGN(const std::vector<double> times, bench.stopwatch().TimeEach(turns, limits));
    total_ms += Sum(times);
    rounds.push_back(Sum(times) / static_cast<double>(times.size()));
  }
  return rounds;
}

Ran<std::vector<double>> Sustained(Bench& bench, const Subject& subject,
                                   const LaunchLimits& limits) {
  if (bench.operands().HasInPlace())
    return SustainedInPlace(bench, subject, limits);
  const double typical = std::max(limits.typical_ms, 1e-3);
  const int count = static_cast<int>(std::clamp(kLoopMs / typical, 1.0, kMaxLoopLaunches));
  CROQ_ASSIGN(std::vector<double> loops,
              bench.stopwatch().TimeLoops(subject.launch(), count, bench.operands().sets(),
                                          kSustainedMs, limits));
  for (double& ms : loops) ms /= count;
  return loops;
}

Ran<std::vector<double>> TimeIn(Regime regime, Bench& bench, const Subject& subject,
                                double deadline_ms) {
  CROQ_ASSIGN(const LaunchLimits limits, FirstLaunch(bench, subject, deadline_ms));
  switch (regime) {
    case Regime::kContract:
      return Contract(bench, subject, limits);
    case Regime::kCold:
      return Cold(bench, subject, limits);
    case Regime::kSustained:
      return Sustained(bench, subject, limits);
  }
  return Refusal("an unknown regime");
}

void Fail(TimeReply& reply, const Fault& fault) {
  reply.outcome = fault.outcome;
  reply.reason = fault.reason;
  reply.sticky = fault.sticky;
}

}  // namespace

TimeReply RunTime(Bench& bench, const TimeRequest& request) {
  TimeReply reply;
  reply.timing.regime = request.regime;
  Ran<Subject> subject = Subject::Create(bench, request.subject, request.plan);
  if (!subject) {
    Fail(reply, subject.error());
    return reply;
  }
  Ran<std::vector<double>> samples = TimeIn(request.regime, bench, *subject, request.deadline_ms);
  if (!samples) {
    Fail(reply, samples.error());
    if (samples.error().EndsProcess())
      subject->Abandon();
    return reply;
  }
  reply.timing.samples_ms = std::move(*samples);
  reply.timing.median_ms = measure::Median(reply.timing.samples_ms);
  reply.timing.sm_clock_mhz = bench.clock().sm_clock_mhz;
  reply.timing.throttle_reasons = bench.clock().throttle_reasons;
  return reply;
}

}  // namespace croq::runner
