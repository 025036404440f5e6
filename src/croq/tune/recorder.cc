#include "croq/tune/recorder.h"

#include <algorithm>
#include <utility>

namespace croq::tune {
namespace {

using std::chrono::milliseconds;

constexpr double kSecondsBetweenKeeps = 5;

}  // namespace

Status Recorder::Run(search::Strategy& strategy, int in_flight, std::int64_t limit) {
  recording_.whole = false;
  for (const RecordedTrial& trial : recording_.trials) {
    strategy.Observe(trial.config, trial.outcome, trial.time_ms);
  }
  const Status ended = Loop(strategy, in_flight, limit);
  CROQ_TRY(keep_());
  return ended;
}

Status Recorder::Loop(search::Strategy& strategy, int in_flight, std::int64_t limit) {
  const auto recorded = [&] { return static_cast<std::int64_t>(recording_.trials.size()); };
  while (!interrupted_.load() && (limit == 0 || recorded() < limit)) {
    std::int64_t target = in_flight;
    if (limit > 0) target = std::min(target, limit - recorded());
    CROQ_TRY(pipeline_.Fill(strategy, static_cast<int>(target)));
    if (pipeline_.InFlight() == 0) {
      recording_.whole = true;
      return {};
    }
    CROQ_ASSIGN(std::optional<Built> built, pipeline_.Next(milliseconds(50)));
    if (built) CROQ_TRY(Measure(std::move(*built)));
    if (SecondsSince(kept_) < kSecondsBetweenKeeps) continue;
    kept_ = std::chrono::steady_clock::now();
    CROQ_TRY(keep_());
  }
  return {};
}

Status Recorder::Measure(Built built) {
  RecordedTrial trial{built.candidate.config, built.outcome, 0, built.candidate.build.compile_ms, 0};
  if (built.outcome == Outcome::kCorrect) {
    const SteadyTime begin = std::chrono::steady_clock::now();
    TrialRequest request;
    request.plan = built.candidate.plan;
    CROQ_ASSIGN(const TrialReply reply, runner_.RunTrial(request));
    trial.measure_ms = SecondsSince(begin) * 1e3;
    trial.outcome = reply.outcome;
    if (reply.outcome == Outcome::kCorrect && reply.timing) trial.time_ms = reply.timing->median_ms;
    pipeline_.cubins().Release(built.candidate.plan);
  }
  recording_.trials.push_back(std::move(trial));
  return {};
}

}  // namespace croq::tune
