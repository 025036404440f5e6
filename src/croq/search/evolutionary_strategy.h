#pragma once

#include <cstddef>
#include <deque>
#include <optional>

#include "croq/search/elite.h"
#include "croq/search/explored.h"
#include "croq/search/random.h"
#include "croq/search/strategy.h"

namespace croq::search {

/// Regularised evolution (Real et al., "Regularized Evolution for Image Classifier Architecture
/// Search", AAAI 2019): a child of the fastest of a few members drawn from a population whose
/// oldest member dies, however good it is. Knows no model of the hardware.
class EvolutionaryStrategy : public Strategy {
 public:
  explicit EvolutionaryStrategy(StrategyOptions options)
      : explored_(std::move(options.space), std::move(options.on_rejected)),
        random_(options.seed) {}

  std::string_view Name() const override { return "evolutionary"; }
  std::optional<Config> Propose() override;
  void Observe(const Config& config, Outcome outcome, double time_ms) override;

 private:
  static constexpr std::size_t kPopulation = 32;
  static constexpr std::size_t kTournament = 8;

  const Scored& DrawParent();
  Config Child();

  Explored explored_;
  Random random_;
  std::size_t founders_ = 0;        ///< proposed at random
  std::deque<Scored> population_;   ///< oldest first
};

}  // namespace croq::search
