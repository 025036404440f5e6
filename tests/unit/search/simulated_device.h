#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "croq/model/config.h"
#include "croq/model/search_space.h"

namespace croq::search {

std::vector<LeverValue> Numbers(std::initializer_list<std::int64_t> values);

/// Three variants of a matmul, 18,144 configurations; those that do not fit a block are rejected.
SearchSpace SimulatedSpace();

/// The cost model on the simulated space's shape.
double Predicted(const Config& config);

/// A device that the model gets wrong: each lever's value together with BLOCK_N is up to `error`
/// slower or faster than predicted, the same each time.
double SimulatedTime(const Config& config, double error);

/// Proposals of a search with `outstanding` of them under way; the observations come late and in
/// order. A time of 0 is a failure.
std::vector<std::string> Trace(std::string_view name, std::uint64_t seed, std::size_t outstanding,
                               int trials, const std::function<double(const Config&)>& time);

}  // namespace croq::search
