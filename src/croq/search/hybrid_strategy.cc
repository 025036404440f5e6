#include "croq/search/hybrid_strategy.h"

#include <algorithm>
#include <utility>

#include "croq/search/model_ranking.h"
#include "croq/search/space_walk.h"

namespace croq::search {
namespace {

constexpr std::size_t kRandomStartWithoutModel = 24;

/// Moves tried for one proposal before it is drawn from all that is left.
constexpr int kMovesPerProposal = 60;

}  // namespace

HybridStrategy::HybridStrategy(StrategyOptions options, HybridTuning tuning)
    : explored_(std::move(options.space), std::move(options.on_rejected)),
      predict_(std::move(options.predict)),
      tuning_(tuning),
      random_(options.seed) {
  for (Config& config : options.shortlist) {
    // A shortlist can come from a session whose space was another.
    if (Contains(explored_.space(), config))
      start_.push_back(std::move(config));
  }
  if (predict_) {
    for (Config& config : RankByModel(explored_, predict_, random_)) {
      if (start_.size() < tuning_.model_start + options.shortlist.size()) {
        start_.push_back(std::move(config));
      } else {
        const double time = predict_(config);
        ranked_.push_back({std::move(config), time});
      }
    }
  } else {
    tuning_.random_start = std::max(tuning_.random_start, kRandomStartWithoutModel);
  }
}

std::optional<Config> HybridStrategy::Propose() {
  while (!start_.empty()) {
    Config config = std::move(start_.front());
    start_.pop_front();
    if (explored_.Take(config))
      return config;
  }
  for (int tries = 0; tries < kMovesPerProposal && !explored_.space().variants.empty(); ++tries) {
    const Move move = tuning_.random_start > 0 ? Move::kRandom : Draw();
    std::optional<Config> config = Make(move);
    // Why a neighbour of the fastest can't be is worth knowing; of a random draw it is not.
    if (!config || (move != Move::kNeighbour && !explored_.Allows(*config)) ||
        !explored_.Take(*config))
      continue;
    if (tuning_.random_start > 0)
      --tuning_.random_start;
    return config;
  }
  return explored_.TakeRandom(random_);
}

void HybridStrategy::Observe(const Config& config, Outcome outcome, double time_ms) {
  explored_.Add(config);
  if (outcome == Outcome::kCorrect && time_ms > 0) {
    if (Contains(explored_.space(), config)) {
      elite_.Enter(config, time_ms);
      open_.Enter(config, time_ms);
      if (predict_)
        residual_.Add(config, time_ms, predict_(config));
    }
  } else {
    elite_.Remove(config);
    open_.Remove(config);
  }
}

HybridStrategy::Move HybridStrategy::Draw() {
  const std::pair<Move, double> shares[] = {{Move::kRandom, tuning_.share_random},
                                            {Move::kModel, tuning_.share_model},
                                            {Move::kCross, tuning_.share_cross},
                                            {Move::kTwoLevers, tuning_.share_two_levers}};
  double left = random_.Unit();
  for (const auto& [move, share] : shares) {
    if (left < share)
      return move;
    left -= share;
  }
  return Move::kNeighbour;
}

std::optional<Config> HybridStrategy::Make(Move move) {
  if (move == Move::kModel)
    return NextOfModel();
  if (move == Move::kRandom || elite_.empty())
    return RandomOfAnyVariant();
  if (move == Move::kNeighbour)
    return BestNeighbour();
  const std::vector<Scored> parents = elite_.Best(tuning_.parents);
  if (move == Move::kCross)
    return CrossParents(parents);
  const Config& parent = DrawParent(parents).config;
  return Step(*VariantOf(explored_.space(), parent), parent, 2, random_);
}

std::optional<Config> HybridStrategy::NextOfModel() {
  if (ranked_.empty())
    return std::nullopt;
  const auto expected = [this](const Scored& scored) {
    return scored.time_ms * residual_.Factor(scored.config);
  };
  const auto best = std::ranges::min_element(ranked_, {}, expected);
  Config config = std::move(best->config);
  ranked_.erase(best);
  return config;
}

double HybridStrategy::Corrected(const Config& config) const {
  return predict_(config) * residual_.Factor(config);
}

std::optional<Config> HybridStrategy::CrossParents(const std::vector<Scored>& parents) {
  const Config& one = DrawParent(parents).config;
  const Config& other = DrawParent(parents).config;
  const std::vector<VariantSpace>& variants = explored_.space().variants;
  // One crossing in four goes into any variant, so that a good tile is tried in each structure.
  const VariantSpace* into = random_.Index(4) == 0 ? &variants[random_.Index(variants.size())]
                                                   : VariantOf(explored_.space(), one);
  return Cross(*into, one, other, random_);
}

std::vector<std::pair<Scored, Config>> HybridStrategy::UnknownNeighbours() {
  std::vector<std::pair<Scored, Config>> unknown;
  for (const Scored& parent : open_.Best(tuning_.parents)) {
    const std::size_t before = unknown.size();
    for (Config& neighbour :
         Neighbours(*VariantOf(explored_.space(), parent.config), parent.config)) {
      if (!explored_.Knows(neighbour))
        unknown.emplace_back(parent, std::move(neighbour));
    }
    if (unknown.size() == before)
      open_.Remove(parent.config);
  }
  return unknown;
}

std::optional<Config> HybridStrategy::BestNeighbour() {
  const auto unknown = UnknownNeighbours();
  if (unknown.empty())
    return std::nullopt;
  const Config* best = nullptr;
  double best_ms = 0;
  for (std::size_t draw = 0; draw < tuning_.tournament; ++draw) {
    const auto& [parent, neighbour] = unknown[random_.Index(unknown.size())];
    const double own = predict_ ? Corrected(parent.config) : 1;
    const double ratio = predict_ && own > 0 ? Corrected(neighbour) / own : 1;
    if (best == nullptr || parent.time_ms * ratio < best_ms) {
      best = &neighbour;
      best_ms = parent.time_ms * ratio;
    }
  }
  return *best;
}

Config HybridStrategy::RandomOfAnyVariant() {
  const std::vector<VariantSpace>& variants = explored_.space().variants;
  return RandomConfig(variants[random_.Index(variants.size())], random_);
}

/// Each parent half as likely as the one before it.
const Scored& HybridStrategy::DrawParent(const std::vector<Scored>& parents) {
  for (const Scored& parent : parents) {
    if (random_.Index(2) == 0)
      return parent;
  }
  return parents.front();
}

}  // namespace croq::search
