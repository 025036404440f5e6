#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "croq/search/strategy.h"

namespace croq::testing {

/// Proposes what it is told, in that order, and keeps what it observes.
class ScriptedStrategy : public search::Strategy {
 public:
  std::string_view Name() const override { return "scripted"; }

  std::optional<Config> Propose() override {
    if (on_propose)
      on_propose();
    if (proposals.empty())
      return std::nullopt;
    Config config = std::move(proposals.front());
    proposals.pop_front();
    return config;
  }

  void Observe(const Config& config, Outcome outcome, double time_ms) override {
    observed.push_back({config.Text(), outcome, time_ms});
  }

  struct Observation {
    std::string config;
    Outcome outcome = Outcome::kCorrect;
    double time_ms = 0;
    friend bool operator==(const Observation&, const Observation&) = default;
  };

  std::deque<Config> proposals;
  std::function<void()> on_propose;
  std::vector<Observation> observed;
};

}  // namespace croq::testing
