#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>

#include "croq/model/config.h"
#include "croq/search/random.h"
#include "croq/search/strategy.h"

namespace croq::search {

/// A space and what has been proposed, observed or rejected in it.
class Explored {
 public:
  Explored(SearchSpace space, RejectionCallback on_rejected)
      : space_(std::move(space)), on_rejected_(std::move(on_rejected)) {}

  const SearchSpace& space() const { return space_; }

  bool Knows(const Config& config) const { return known_.contains(config.Key()); }
  void Add(const Config& config) { known_.insert(config.Key()); }

  /// The space would build it; asks without recording.
  bool Allows(const Config& config) const { return !space_.reject || !space_.reject(config); }

  /// True where `config` was unknown and is allowed: it is the caller's to propose. Either way it
  /// is known from now on; a rejection is reported.
  bool Take(const Config& config);

  /// One not known yet, drawn evenly over the configurations of the space; nothing when none is
  /// left. Draws first and, once most are known, looks through them all.
  std::optional<Config> TakeRandom(Random& random);

  /// The first not known, in the space's own order.
  std::optional<Config> TakeNext();

 private:
  std::uint64_t Total() const;
  Config At(std::uint64_t index) const;

  SearchSpace space_;
  RejectionCallback on_rejected_;
  std::unordered_set<std::uint64_t> known_;  ///< keys: a long search knows many
  std::uint64_t next_ = 0;  ///< TakeNext has been through all before it
};

}  // namespace croq::search
