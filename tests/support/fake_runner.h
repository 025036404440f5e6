#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "croq/tune/runner.h"

namespace croq::testing {

/// Answers from functions that a test sets; everything succeeds otherwise.
class FakeRunner : public tune::Runner {
 public:
  Result<PrepareReply> Prepare(const PrepareRequest& request) override {
    preparations.push_back(request);
    return prepared;
  }

  Result<InputsReply> WriteInputs(const InputsRequest& request) override {
    inputs.push_back(request);
    return on_inputs ? on_inputs(request) : InputsReply{};
  }

  Result<ReferencesReply> SetReferences(const ReferencesRequest& request) override {
    references.push_back(request);
    return on_references ? on_references(request) : ReferencesReply{};
  }

  Result<TrialReply> RunTrial(const TrialRequest& request) override {
    trials.push_back(request);
    return on_trial ? on_trial(request) : TrialReply{};
  }

  Result<DuelReply> RunDuel(const DuelRequest& request) override {
    duels.push_back(request);
    return on_duel ? on_duel(request) : DuelReply{};
  }

  Result<TimeReply> Time(const TimeRequest& request) override {
    times.push_back(request);
    if (on_time)
      return on_time(request);
    TimeReply reply;
    reply.timing.regime = request.regime;
    reply.timing.median_ms = request.regime == Regime::kCold ? 1.1 : 1;
    return reply;
  }

  Result<HeuristicsReply> FindHeuristics(const HeuristicsRequest&) override { return heuristics; }
  int Restarts() const override { return 0; }

  std::function<Result<InputsReply>(const InputsRequest&)> on_inputs;
  std::function<Result<ReferencesReply>(const ReferencesRequest&)> on_references;
  std::function<Result<TrialReply>(const TrialRequest&)> on_trial;
  std::function<Result<DuelReply>(const DuelRequest&)> on_duel;
  std::function<Result<TimeReply>(const TimeRequest&)> on_time;
  HeuristicsReply heuristics;
  PrepareReply prepared;

  std::vector<PrepareRequest> preparations;
  std::vector<InputsRequest> inputs;
  std::vector<ReferencesRequest> references;
  std::vector<TrialRequest> trials;
  std::vector<DuelRequest> duels;
  std::vector<TimeRequest> times;
};

/// Pairs in which the candidate takes `candidate_ms` and the reference `reference_ms`, with a
/// little noise that both share.
inline DuelReply DuelOf(double candidate_ms, double reference_ms, int pairs = 40) {
  DuelReply reply;
  for (int i = 0; i < pairs; ++i) {
    const double noise = 1 + 0.001 * ((i % 7) - 3);
    reply.duel.candidate_ms.push_back(candidate_ms * noise);
    reply.duel.reference_ms.push_back(reference_ms * noise * (1 + 0.0002 * ((i % 5) - 2)));
  }
  return reply;
}

}  // namespace croq::testing
