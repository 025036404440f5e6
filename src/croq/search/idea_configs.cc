#include "croq/search/idea_configs.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <set>

#include "croq/search/space_walk.h"

namespace croq::search {
namespace {

// A product of levers is cut off here; what an idea moves is a handful.
constexpr std::size_t kMostCombined = 4096;

bool Names(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// The values that a lever may take: all in the direction, or one place each way.
std::vector<LeverValue> ValuesFor(const Lever& lever, const LeverValue& own, const IdeaMove& move) {
  const auto at = std::ranges::find(lever.values, own);
  const std::ptrdiff_t place = at - lever.values.begin();
  std::vector<LeverValue> values{own};
  for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(lever.values.size()); ++i) {
    if (i == place) continue;
    const bool moves = Names(move.levers, lever.name) &&
                       (move.direction == "any" || (move.direction == "up") == (i > place));
    const bool along = Names(move.with, lever.name) && std::abs(i - place) == 1;
    if (moves || along) values.push_back(lever.values[static_cast<std::size_t>(i)]);
  }
  return values;
}

std::vector<Config> MovedLevers(const VariantSpace& variant, const Config& base,
                                const IdeaMove& move) {
  std::vector<Config> configs{base};
  for (const Lever& lever : variant.levers) {
    const auto own = base.values.find(lever.name);
    if (own == base.values.end()) continue;
    const std::vector<LeverValue> values = ValuesFor(lever, own->second, move);
    const std::size_t before = configs.size();
    for (std::size_t v = 1; v < values.size(); ++v) {
      for (std::size_t i = 0; i < before && configs.size() < kMostCombined; ++i) {
        Config moved = configs[i];
        moved.values[lever.name] = values[v];
        configs.push_back(std::move(moved));
      }
    }
  }
  std::erase_if(configs, [&](const Config& config) {
    return std::ranges::none_of(move.levers, [&](const std::string& lever) {
      const auto now = config.values.find(lever);
      const auto then = base.values.find(lever);
      return now != config.values.end() && then != base.values.end() &&
             now->second != then->second;
    });
  });
  return configs;
}

/// The place of the value that is nearest to a number; the first where it is a word.
std::size_t Nearest(const Lever& lever, const LeverValue& wanted) {
  const auto* number = std::get_if<std::int64_t>(&wanted);
  std::size_t best = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < lever.values.size(); ++i) {
    if (lever.values[i] == wanted) return i;
    const auto* value = std::get_if<std::int64_t>(&lever.values[i]);
    if (number == nullptr || value == nullptr) continue;
    if (std::abs(*value - *number) < least) {
      least = std::abs(*value - *number);
      best = i;
    }
  }
  return best;
}

/// The base in another variant's levers; those that it lacks start at their first value.
Config Translated(const VariantSpace& variant, const Config& base) {
  Config config{variant.variant, {}};
  for (const Lever& lever : variant.levers) {
    const auto own = base.values.find(lever.name);
    const std::size_t place =
        own == base.values.end() ? 0 : Nearest(lever, own->second);
    config.values[lever.name] = lever.values[place];
  }
  return config;
}

std::vector<Config> ChangedVariant(const SearchSpace& space, const Config& base,
                                   const IdeaMove& move, const std::vector<Config>& seeds) {
  std::vector<Config> configs;
  const auto around = [&](const VariantSpace& variant, const Config& seed) {
    configs.push_back(seed);
    for (const Config& one : Alternatives(variant, seed)) {
      configs.push_back(one);
      for (Config& two : Neighbours(variant, one)) configs.push_back(std::move(two));
    }
  };
  for (const VariantSpace& variant : space.variants) {
    if (!Names(move.variants, variant.variant)) continue;
    around(variant, Translated(variant, base));
    for (const Config& seed : seeds) {
      if (seed.variant == variant.variant) around(variant, seed);
    }
  }
  return configs;
}

}  // namespace

std::vector<Config> IdeaConfigs(const SearchSpace& space, const Config& base, const IdeaMove& move,
                                const std::vector<Config>& seeds, const Predictor& predict,
                                std::size_t most) {
  const VariantSpace* variant = VariantOf(space, base);
  std::vector<Config> configs;
  if (move.levers.empty()) {
    configs = ChangedVariant(space, base, move, seeds);
  } else if (variant != nullptr) {
    configs = MovedLevers(*variant, base, move);
  }
  struct Rated {
    double rate;
    Config config;
  };
  std::vector<Rated> rated;
  std::set<std::string> seen{base.Text()};
  for (Config& config : configs) {
    if (!seen.insert(config.Text()).second) continue;
    if (space.reject && space.reject(config)) continue;
    const double rate = predict ? predict(config) : Distance(base, config);
    rated.push_back({rate, std::move(config)});
  }
  std::ranges::stable_sort(rated, {}, &Rated::rate);
  configs.clear();
  for (Rated& one : rated) {
    if (configs.size() == most) break;
    configs.push_back(std::move(one.config));
  }
  return configs;
}

}  // namespace croq::search
