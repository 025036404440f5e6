#include "croq/search/strategy.h"

#include <utility>

#include "croq/search/hybrid_strategy.h"
#include "croq/search/simple_strategies.h"

namespace croq::search {

std::unique_ptr<Strategy> MakeStrategy(std::string_view name, StrategyOptions options) {
  if (name == "hybrid")
    return std::make_unique<HybridStrategy>(std::move(options));
  if (name == "random")
    return std::make_unique<RandomStrategy>(std::move(options));
  if (name == "exhaustive")
    return std::make_unique<ExhaustiveStrategy>(std::move(options));
  return nullptr;
}

}  // namespace croq::search
