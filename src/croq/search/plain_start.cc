#include "croq/search/plain_start.h"

#include "croq/search/explored.h"
#include "croq/search/model_ranking.h"
#include "croq/search/random.h"

namespace croq::search {

std::vector<Config> PlainStart(const SearchSpace& space, const Predictor& predict,
                               std::uint64_t seed, std::size_t most) {
  if (space.variants.empty()) return {};
  const Explored plainest({{space.variants.front()}, space.reject}, {});
  Random random(seed);
  RankingEffort effort;
  effort.kept = most;
  return RankByModel(plainest, predict, random, effort);
}

}  // namespace croq::search
