#pragma once

#include <cstddef>
#include <vector>

#include "croq/search/explored.h"
#include "croq/search/random.h"
#include "croq/search/strategy.h"

namespace croq::search {

struct RankingEffort {
  std::size_t starts = 24;    ///< climbs for each variant
  int draws_per_start = 200;  ///< draws for a start that the space allows
  double all_below = 10'000;  ///< a smaller space is predicted as a whole instead
  std::size_t kept = 400;
};

/// What a cost model thinks fastest, best first. Climbs from random starts of each variant, one
/// lever at a time, so that a space of millions needs some ten thousand predictions. Only what the
/// space allows.
///
/// The list is spread out, for the model's errors are those of a whole tile: configurations alike
/// in the levers that the model finds weightiest form a group, and the n-th of a group is ranked as
/// if it were n * 5% slower.
std::vector<Config> RankByModel(const Explored& explored, const Predictor& predict, Random& random,
                                const RankingEffort& effort = {});

}  // namespace croq::search
