#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "croq/model/config.h"
#include "croq/model/search_space.h"
#include "croq/search/strategy.h"

namespace croq::search {

/// What an idea may change of a kernel; the rest stays as its base has it.
struct IdeaMove {
  std::vector<std::string> levers;    ///< at least one moves; empty: a change of variant
  std::string direction;              ///< up, down, any
  std::vector<std::string> with;      ///< may move along, one place each way
  std::vector<std::string> variants;  ///< of a change of variant
};

/// The configurations that an idea makes of a base, `most` at most, the fastest predicted first
/// (without a predictor the nearest first). The space rejects none of them. A change of variant
/// takes over what levers both have, and goes on from there and from each of `seeds` that is of one
/// of the variants, one lever at a time.
std::vector<Config> IdeaConfigs(const SearchSpace& space, const Config& base, const IdeaMove& move,
                                const std::vector<Config>& seeds, const Predictor& predict,
                                std::size_t most);

}  // namespace croq::search
