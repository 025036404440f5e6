#include "croq_runner/regimes.h"

#include <algorithm>
#include <vector>

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

Ran<std::vector<double>> Contract(Bench& bench, const Subject& subject,
                                  const LaunchLimits& limits) {
  CROQ_TRY(bench.stopwatch().TimeLoop(subject.launch(), kWarmup, 0, limits));
  CROQ_ASSIGN(const double ms, bench.stopwatch().TimeLoop(subject.launch(), kTimed, 0, limits));
  return std::vector<double>{ms / kTimed};
}

Ran<std::vector<double>> Cold(Bench& bench, const Subject& subject, const LaunchLimits& limits) {
  std::vector<Stopwatch::Turn> turns;
  for (int i = 0; i < kColdSamples; ++i) turns.push_back(subject.On(bench.NextSet()));
  return bench.stopwatch().TimeEach(turns, limits);
}

Ran<std::vector<double>> Sustained(Bench& bench, const Subject& subject,
                                   const LaunchLimits& limits) {
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
