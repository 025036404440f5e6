#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "croq/model/config.h"
#include "croq/model/search_space.h"
#include "croq/search/random.h"

namespace croq::search {

/// Ways through a search space. None of these asks the space what it rejects.

/// Configurations of one variant.
std::uint64_t SizeOf(const VariantSpace& variant);

/// Configuration `index` of 0 .. SizeOf-1; the last lever runs fastest.
Config ConfigAt(const VariantSpace& variant, std::uint64_t index);

Config RandomConfig(const VariantSpace& variant, Random& random);

/// The variant a configuration belongs to, or null.
const VariantSpace* VariantOf(const SearchSpace& space, const Config& config);

/// It names a variant of the space, has each of its levers and no other, each at one of its values.
bool Contains(const SearchSpace& space, const Config& config);

/// All configurations that differ in one lever by one place.
std::vector<Config> Neighbours(const VariantSpace& variant, const Config& config);

/// All configurations that differ in one lever, at any other of its values.
std::vector<Config> Alternatives(const VariantSpace& variant, const Config& config);

/// One random step in each of `levers` different levers; fewer where the variant has fewer.
Config Step(const VariantSpace& variant, Config config, int levers, Random& random);

/// Takes each lever from one of two parents; into `variant`, which need be neither's: a lever that
/// the chosen parent lacks (or has at another value than the variant allows) comes from the other,
/// and else is drawn.
Config Cross(const VariantSpace& variant, const Config& one, const Config& other, Random& random);

/// Levers in which two configurations differ; variants that differ count as one more.
int Distance(const Config& one, const Config& other);

}  // namespace croq::search
