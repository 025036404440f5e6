#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "croq/search/strategy.h"
#include "croq/tune/round_rules.h"

namespace croq::tune {

/// Proposes the configurations of one idea, in their order, until the idea is abandoned.
class IdeaStrategy : public search::Strategy {
 public:
  IdeaStrategy(std::string idea, std::vector<Config> configs, RoundRules& rules)
      : idea_(std::move(idea)), waiting_(configs.begin(), configs.end()), rules_(rules) {}

  struct Failure {
    Config config;
    Outcome outcome = Outcome::kCompile;
  };

  std::string_view Name() const override { return idea_; }

  std::optional<Config> Propose() override {
    if (waiting_.empty() || rules_.Abandoned(idea_)) return std::nullopt;
    Config config = std::move(waiting_.front());
    waiting_.pop_front();
    return config;
  }

  void Observe(const Config& config, Outcome outcome, double) override {
    rules_.OnBuild(idea_, outcome != Outcome::kCompile);
    if (outcome != Outcome::kCorrect && !first_failure_) first_failure_ = Failure{config, outcome};
  }

  /// What is stored where nothing else came of the idea.
  const std::optional<Failure>& first_failure() const { return first_failure_; }

 private:
  std::string idea_;
  std::deque<Config> waiting_;
  RoundRules& rules_;
  std::optional<Failure> first_failure_;
};

}  // namespace croq::tune
