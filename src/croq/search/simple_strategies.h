#pragma once

#include "croq/search/explored.h"
#include "croq/search/random.h"
#include "croq/search/strategy.h"

namespace croq::search {

/// Draws evenly from what is left of the space. The yardstick for the others.
class RandomStrategy : public Strategy {
 public:
  explicit RandomStrategy(StrategyOptions options)
      : explored_(std::move(options.space), std::move(options.on_rejected)),
        random_(options.seed) {}

  std::string_view Name() const override { return "random"; }
  std::optional<Config> Propose() override { return explored_.TakeRandom(random_); }
  void Observe(const Config& config, Outcome, double) override { explored_.Add(config); }

 private:
  Explored explored_;
  Random random_;
};

/// Goes through the whole space in its own order.
class ExhaustiveStrategy : public Strategy {
 public:
  explicit ExhaustiveStrategy(StrategyOptions options)
      : explored_(std::move(options.space), std::move(options.on_rejected)) {}

  std::string_view Name() const override { return "exhaustive"; }
  std::optional<Config> Propose() override { return explored_.TakeNext(); }
  void Observe(const Config& config, Outcome, double) override { explored_.Add(config); }

 private:
  Explored explored_;
};

}  // namespace croq::search
