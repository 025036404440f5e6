#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "croq/tune/evaluator.h"

namespace croq::testing {

/// Judges by tables. Everything is correct and takes 1 ms unless a table says otherwise; keys are
/// configuration texts.
class FakeEvaluator : public tune::Evaluator {
 public:
  bool Predicted() const override { return predicted; }

  Result<tune::Evaluation> Screen(const tune::Candidate& candidate, double incumbent_ms) override {
    const std::string text = candidate.config.Text();
    screened.push_back(text);
    incumbents.push_back(incumbent_ms);
    if (on_screen)
      on_screen(candidate);
    tune::Evaluation evaluation;
    if (const auto found = fails.find(text); found != fails.end()) {
      evaluation.outcome = found->second;
      evaluation.reason = "screening says no";
      return evaluation;
    }
    evaluation.time_ms = MillisOf(text);
    evaluation.max_abs_err = 1e-4;
    evaluation.device_state = "1755 MHz";
    return evaluation;
  }

  Result<std::optional<std::size_t>> Settle(const std::vector<tune::Candidate>& finalists,
                                            std::vector<Rejected>& rejected) override {
    settled.emplace_back();
    std::optional<std::size_t> winner;
    for (std::size_t i = 0; i < finalists.size(); ++i) {
      const std::string text = finalists[i].config.Text();
      settled.back().push_back(text);
      if (const auto found = rejects.find(text); found != rejects.end()) {
        rejected.push_back({i, found->second, "wrong on another input set"});
      } else if (!winner) {
        winner = i;
      }
    }
    return winner;
  }

  Result<tune::Standing> Judge(const tune::Candidate& candidate,
                               const tune::Candidate* best) override {
    judged.emplace_back(candidate.config.Text(), best != nullptr ? best->config.Text() : "");
    if (!judge_error.empty())
      return Failure(judge_error);
    tune::Standing standing;
    standing.cold_ms = MillisOf(candidate.config.Text());
    standing.contract_ms = standing.cold_ms;
    standing.max_abs_err = 3e-4;
    standing.of_baseline = {1.02, 1.01, 1.03};
    if (best != nullptr) {
      const double ratio = MillisOf(best->config.Text()) / standing.cold_ms;
      standing.of_best = {ratio, ratio * 0.99, ratio * 1.01};
    }
    if (on_judge)
      on_judge(candidate, standing);
    return standing;
  }

  Result<tune::ContractTiming> ContractTime(const tune::Candidate& candidate) override {
    ++contract_timings;
    if (contract_time)
      return contract_time(candidate);
    return tune::ContractTiming{Outcome::kCorrect, "", MillisOf(candidate.config.Text())};
  }

  double MillisOf(const std::string& text) const {
    const auto found = times.find(text);
    return found == times.end() ? 1 : found->second;
  }

  bool predicted = false;
  std::map<std::string, double> times;     ///< ms
  std::map<std::string, Outcome> fails;    ///< in screening
  std::map<std::string, Outcome> rejects;  ///< as finalists
  std::string judge_error;                 ///< Judge fails with it where it is not empty
  std::function<void(const tune::Candidate&)> on_screen;
  std::function<void(const tune::Candidate&, tune::Standing&)> on_judge;
  std::function<Result<tune::ContractTiming>(const tune::Candidate&)> contract_time;

  std::vector<std::string> screened;
  std::vector<double> incumbents;  ///< as given with each screening
  std::vector<std::vector<std::string>> settled;
  std::vector<std::pair<std::string, std::string>> judged;  ///< candidate, best (or empty)
  int contract_timings = 0;
};

}  // namespace croq::testing
