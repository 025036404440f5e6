#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "croq/model/config.h"
#include "croq/model/search_space.h"
#include "croq/search/strategy.h"

namespace croq::search {

/// What a person would write first: configurations of the space's first variant, its plainest, the
/// fastest predicted first, `most` at most. The space rejects none of them. Rounds that follow ideas
/// start from here, so that what each idea adds is seen. The same for one seed.
std::vector<Config> PlainStart(const SearchSpace& space, const Predictor& predict,
                               std::uint64_t seed, std::size_t most);

}  // namespace croq::search
