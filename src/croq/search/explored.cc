#include "croq/search/explored.h"

#include "croq/base/check.h"
#include "croq/search/space_walk.h"

namespace croq::search {

bool Explored::Take(const Config& config) {
  if (!known_.insert(config.Key()).second)
    return false;
  if (!space_.reject)
    return true;
  const std::optional<std::string> reason = space_.reject(config);
  if (reason && on_rejected_)
    on_rejected_(config, *reason);
  return !reason;
}

std::optional<Config> Explored::TakeRandom(Random& random) {
  const std::uint64_t total = Total();
  // Enough that a space with one free configuration in a hundred is still drawn from evenly.
  constexpr int kDraws = 500;
  for (int draw = 0; draw < kDraws && total > 0; ++draw) {
    const Config config = At(random.Index(total));
    if (Take(config))
      return config;
  }
  const std::uint64_t start = total > 0 ? random.Index(total) : 0;
  for (std::uint64_t step = 0; step < total; ++step) {
    const Config config = At((start + step) % total);
    if (Take(config))
      return config;
  }
  return std::nullopt;
}

std::optional<Config> Explored::TakeNext() {
  for (const std::uint64_t total = Total(); next_ < total;) {
    const Config config = At(next_++);
    if (Take(config))
      return config;
  }
  return std::nullopt;
}

std::uint64_t Explored::Total() const {
  std::uint64_t total = 0;
  for (const VariantSpace& variant : space_.variants) total += SizeOf(variant);
  return total;
}

Config Explored::At(std::uint64_t index) const {
  for (const VariantSpace& variant : space_.variants) {
    const std::uint64_t size = SizeOf(variant);
    if (index < size)
      return ConfigAt(variant, index);
    index -= size;
  }
  CROQ_CHECK(false);
  return {};
}

}  // namespace croq::search
