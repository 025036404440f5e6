#include "croq/search/space_walk.h"

#include <algorithm>
#include <cstddef>

namespace croq::search {
namespace {

std::optional<std::size_t> PlaceOf(const Lever& lever, const Config& config) {
  const auto found = config.values.find(lever.name);
  if (found == config.values.end())
    return std::nullopt;
  const auto at = std::find(lever.values.begin(), lever.values.end(), found->second);
  if (at == lever.values.end())
    return std::nullopt;
  return static_cast<std::size_t>(at - lever.values.begin());
}

/// The places one step away from the configuration's.
std::vector<std::size_t> PlacesBeside(const Lever& lever, const Config& config) {
  std::vector<std::size_t> places;
  const std::optional<std::size_t> place = PlaceOf(lever, config);
  if (!place)
    return places;
  if (*place > 0)
    places.push_back(*place - 1);
  if (*place + 1 < lever.values.size())
    places.push_back(*place + 1);
  return places;
}

}  // namespace

std::uint64_t SizeOf(const VariantSpace& variant) {
  std::uint64_t size = 1;
  for (const Lever& lever : variant.levers) size *= lever.values.size();
  return size;
}

Config ConfigAt(const VariantSpace& variant, std::uint64_t index) {
  Config config;
  config.variant = variant.variant;
  for (auto lever = variant.levers.rbegin(); lever != variant.levers.rend(); ++lever) {
    const std::uint64_t count = lever->values.size();
    config.values[lever->name] = lever->values[static_cast<std::size_t>(index % count)];
    index /= count;
  }
  return config;
}

Config RandomConfig(const VariantSpace& variant, Random& random) {
  Config config;
  config.variant = variant.variant;
  for (const Lever& lever : variant.levers) {
    config.values[lever.name] = lever.values[random.Index(lever.values.size())];
  }
  return config;
}

const VariantSpace* VariantOf(const SearchSpace& space, const Config& config) {
  for (const VariantSpace& variant : space.variants) {
    if (variant.variant == config.variant)
      return &variant;
  }
  return nullptr;
}

bool Contains(const SearchSpace& space, const Config& config) {
  const VariantSpace* variant = VariantOf(space, config);
  return variant != nullptr && variant->levers.size() == config.values.size() &&
         std::all_of(variant->levers.begin(), variant->levers.end(),
                     [&](const Lever& lever) { return PlaceOf(lever, config).has_value(); });
}

std::vector<Config> Neighbours(const VariantSpace& variant, const Config& config) {
  std::vector<Config> neighbours;
  for (const Lever& lever : variant.levers) {
    for (const std::size_t place : PlacesBeside(lever, config)) {
      Config neighbour = config;
      neighbour.values[lever.name] = lever.values[place];
      neighbours.push_back(std::move(neighbour));
    }
  }
  return neighbours;
}

std::vector<Config> Alternatives(const VariantSpace& variant, const Config& config) {
  std::vector<Config> alternatives;
  for (const Lever& lever : variant.levers) {
    const std::optional<std::size_t> own = PlaceOf(lever, config);
    for (std::size_t place = 0; place < lever.values.size(); ++place) {
      if (place == own)
        continue;
      Config alternative = config;
      alternative.values[lever.name] = lever.values[place];
      alternatives.push_back(std::move(alternative));
    }
  }
  return alternatives;
}

Config Step(const VariantSpace& variant, Config config, int levers, Random& random) {
  std::vector<const Lever*> movable;
  for (const Lever& lever : variant.levers) {
    if (!PlacesBeside(lever, config).empty())
      movable.push_back(&lever);
  }
  for (int step = 0; step < levers && !movable.empty(); ++step) {
    const auto chosen = movable.begin() + static_cast<std::ptrdiff_t>(random.Index(movable.size()));
    const Lever& lever = **chosen;
    const std::vector<std::size_t> places = PlacesBeside(lever, config);
    config.values[lever.name] = lever.values[places[random.Index(places.size())]];
    movable.erase(chosen);
  }
  return config;
}

Config Cross(const VariantSpace& variant, const Config& one, const Config& other, Random& random) {
  Config child;
  child.variant = variant.variant;
  for (const Lever& lever : variant.levers) {
    const bool swap = random.Index(2) == 1;
    std::optional<std::size_t> place = PlaceOf(lever, swap ? other : one);
    if (!place)
      place = PlaceOf(lever, swap ? one : other);
    if (!place)
      place = random.Index(lever.values.size());
    child.values[lever.name] = lever.values[*place];
  }
  return child;
}

int Distance(const Config& one, const Config& other) {
  int distance = one.variant == other.variant ? 0 : 1;
  for (const auto& [lever, value] : one.values) {
    const auto found = other.values.find(lever);
    if (found == other.values.end() || found->second != value)
      ++distance;
  }
  for (const auto& [lever, value] : other.values) {
    if (one.values.find(lever) == one.values.end())
      ++distance;
  }
  return distance;
}

}  // namespace croq::search
