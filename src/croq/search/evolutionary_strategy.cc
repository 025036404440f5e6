#include "croq/search/evolutionary_strategy.h"

#include <algorithm>
#include <utility>

#include "croq/search/space_walk.h"

namespace croq::search {
namespace {

/// Children tried for one proposal before it is drawn from all that is left.
constexpr int kChildrenPerProposal = 40;

}  // namespace

std::optional<Config> EvolutionaryStrategy::Propose() {
  if (founders_ < kPopulation || population_.empty()) {
    ++founders_;
    return explored_.TakeRandom(random_);
  }
  for (int tries = 0; tries < kChildrenPerProposal; ++tries) {
    Config child = Child();
    if (explored_.Allows(child) && explored_.Take(child))
      return child;
  }
  return explored_.TakeRandom(random_);
}

void EvolutionaryStrategy::Observe(const Config& config, Outcome outcome, double time_ms) {
  explored_.Add(config);
  if (outcome != Outcome::kCorrect || !(time_ms > 0) || !Contains(explored_.space(), config))
    return;
  std::erase_if(population_, [&](const Scored& member) { return member.config == config; });
  population_.push_back({config, time_ms});
  if (population_.size() > kPopulation)
    population_.pop_front();
}

const Scored& EvolutionaryStrategy::DrawParent() {
  const Scored* best = &population_[random_.Index(population_.size())];
  for (std::size_t draw = 1; draw < kTournament; ++draw) {
    const Scored& drawn = population_[random_.Index(population_.size())];
    if (drawn.time_ms < best->time_ms)
      best = &drawn;
  }
  return *best;
}

/// One lever moved, or now and then the levers of two parents mixed, into any variant.
Config EvolutionaryStrategy::Child() {
  const Config& parent = DrawParent().config;
  if (random_.Index(4) == 0) {
    const auto& variants = explored_.space().variants;
    return Cross(variants[random_.Index(variants.size())], parent, DrawParent().config, random_);
  }
  return Step(*VariantOf(explored_.space(), parent), parent, 1, random_);
}

}  // namespace croq::search
