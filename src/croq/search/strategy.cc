#include "croq/search/strategy.h"

#include <algorithm>
#include <utility>

#include "croq/search/evolutionary_strategy.h"
#include "croq/search/hybrid_strategy.h"
#include "croq/search/simple_strategies.h"

namespace croq::search {

bool IsStrategy(std::string_view name) {
  return std::ranges::find(kStrategies, name) != kStrategies.end();
}

std::unique_ptr<Strategy> MakeStrategy(std::string_view name, StrategyOptions options) {
  if (name == "hybrid")
    return std::make_unique<HybridStrategy>(std::move(options));
  if (name == "random")
    return std::make_unique<RandomStrategy>(std::move(options));
  if (name == "exhaustive")
    return std::make_unique<ExhaustiveStrategy>(std::move(options));
  if (name == "evolutionary")
    return std::make_unique<EvolutionaryStrategy>(std::move(options));
  return nullptr;
}

}  // namespace croq::search
