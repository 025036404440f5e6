#include "croq_runner/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "croq/base/clock.h"
#include "croq/base/scope_timer.h"
#include "croq/measure/statistics.h"
#include "croq_runner/subject.h"

namespace croq::runner {
namespace {

Ran<void> CheckInputs(Bench& bench, int first, int count) {
  CROQ_ASSIGN(
      const std::optional<ChangedInput> changed,
      Blamed(bench.driver(), bench.stream(), bench.operands().FirstChanged(first, count)));
  if (!changed)
    return {};
  return tl::unexpected<Fault>(Fault{Outcome::kCorrectness,
                                     fmt::format("the candidate writes its input {} (set {})",
                                                 changed->name, changed->set),
                                     true});
}

constexpr int kFirstSamples = 3;
constexpr double kMillis = 1e3;  ///< of a second

/// One trial in steps; the reply grows as they succeed.
class Trial {
 public:
  Trial(Bench& bench, const TrialRequest& request, Subject& subject, TrialReply& reply)
      : bench_(bench), request_(request), subject_(subject), reply_(reply) {}

  Ran<void> Run() {
    CROQ_TRY(Check());
    CROQ_TRY(Time());
    // The timed launches may do what the checked one did not.
    const ScopeTimer timer(reply_.check_ms, kMillis);
    return CheckInputs(bench_, 0, bench_.operands().sets());
  }

 private:
  LaunchLimits Limits() const { return {request_.deadline_ms, typical_ms_}; }

  Ran<void> Check() {
    const ScopeTimer timer(reply_.check_ms, kMillis);
    const int checked = request_.check_all_sets ? bench_.operands().sets() : 1;
    for (int set = 0; set < checked; ++set) {
      if (bench_.operands().Checkable(set))
        CROQ_TRY(CheckOn(set));
    }
    return {};
  }

  Ran<void> CheckOn(int set) {
    CROQ_TRY(Blamed(bench_.driver(), bench_.stream(),
                    bench_.operands().PoisonOutput(set, bench_.stream())));
    CROQ_TRY(subject_.plan()->PoisonScratch(bench_.stream()));
    const Stopwatch::Turn turn = subject_.On(set);
    CROQ_ASSIGN(const std::vector<double> first,
                bench_.stopwatch().TimeUnheld({&turn, 1}, Limits()));
    typical_ms_ = first.front();
    CROQ_ASSIGN(const croq::Check check, Blamed(bench_.driver(), bench_.stream(),
                                          bench_.operands().CheckOutput(set, bench_.stream())));
    reply_.check = check;
    CROQ_TRY(CheckInputs(bench_, set, 1));
    if (check.passed)
      return {};
    std::string reason = bench_.operands().Explain(check);
    if (request_.check_all_sets)
      reason += fmt::format(" (input set {})", set);
    return tl::unexpected<Fault>(Fault{Outcome::kCorrectness, std::move(reason), false});
  }

  std::vector<Stopwatch::Turn> Turns(int count) {
    std::vector<Stopwatch::Turn> turns;
    for (int i = 0; i < count; ++i) turns.push_back(subject_.On(bench_.NextSet()));
    return turns;
  }

  Ran<void> Time() {
    const ScopeTimer timer(reply_.timing_ms, kMillis);
    Timing timing;
    timing.regime = Regime::kCold;
    // Early stop needs a time: without a warm-up the first sample must serve.
    const int first = std::max(request_.warmup, request_.stop_above_ms > 0 ? 1 : 0);
    CROQ_ASSIGN(const std::vector<double> warm,
                bench_.stopwatch().TimeUnheld(Turns(first), Limits()));
    const double fastest = warm.empty() ? 0 : *std::min_element(warm.begin(), warm.end());
    if (request_.stop_above_ms > 0 && fastest > request_.stop_above_ms) {
      timing.samples_ms = warm;
      timing.stopped_early = true;
    } else {
      CROQ_TRY(Sample(&timing));
    }
    timing.median_ms = measure::Median(timing.samples_ms);
    reply_.timing = timing;
    return {};
  }

  /// The cold samples: a few first where the candidate may turn out to be hardly the best.
  Ran<void> Sample(Timing* timing) {
    const int wanted = std::max(request_.samples, 1);
    const int first = request_.halve_above_ms > 0 ? std::min(kFirstSamples, wanted) : wanted;
    CROQ_ASSIGN(timing->samples_ms, bench_.stopwatch().TimeEach(Turns(first), Limits()));
    const double fastest = *std::min_element(timing->samples_ms.begin(), timing->samples_ms.end());
    timing->stopped_early = first < wanted && fastest > request_.halve_above_ms;
    if (first < wanted && !timing->stopped_early) {
      CROQ_ASSIGN(const std::vector<double> rest,
                  bench_.stopwatch().TimeEach(Turns(wanted - first), Limits()));
      timing->samples_ms.insert(timing->samples_ms.end(), rest.begin(), rest.end());
    }
    timing->sm_clock_mhz = bench_.clock().sm_clock_mhz;
    timing->throttle_reasons = bench_.clock().throttle_reasons;
    return {};
  }

  Bench& bench_;
  const TrialRequest& request_;
  Subject& subject_;
  TrialReply& reply_;
  double typical_ms_ = 0;
};

}  // namespace

TrialReply RunTrial(Bench& bench, const TrialRequest& request) {
  const SteadyTime start = std::chrono::steady_clock::now();
  TrialReply reply;
  Ran<void> ran;
  Ran<Subject> subject = Subject::Create(bench, DuelReference::kPlan, request.plan);
  reply.load_ms = 1e3 * SecondsSince(start);
  if (!subject) {
    ran = tl::unexpected<Fault>(subject.error());
  } else {
    ran = Trial(bench, request, *subject, reply).Run();
  }
  if (!ran) {
    reply.outcome = ran.error().outcome;
    reply.reason = ran.error().reason;
    reply.sticky = ran.error().sticky;
    reply.timing.reset();
    if (subject && ran.error().EndsProcess())
      subject->Abandon();
  }
  reply.wall_ms = 1e3 * SecondsSince(start);
  return reply;
}

}  // namespace croq::runner
