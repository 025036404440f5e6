#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "croq/tune/cubin_store.h"
#include "croq/tune/evaluator.h"

namespace croq::tune {

/// The fastest correct candidates that are no iteration yet, fastest first. Whoever falls off the
/// end gives up its cubins.
class Leaderboard {
 public:
  Leaderboard(std::size_t capacity, CubinStore& cubins) : capacity_(capacity), cubins_(cubins) {}

  void Add(Candidate candidate, double time_ms);
  /// Takes a configuration off, keeping its cubins: it became an iteration, or was rejected.
  void Remove(const std::string& config_text);
  /// Moves the entries of the given configurations to `other`, or all of them for null.
  void MoveTo(Leaderboard& other, const std::set<std::string>* configs);
  /// Configurations and times, fastest first.
  std::vector<std::pair<Config, double>> Times() const;
  /// The first `count` whose time is within `factor` of the fastest.
  std::vector<Candidate> Top(std::size_t count, double factor) const;
  /// Cold time of the fastest, 0 where there is none.
  double BestMillis() const { return entries_.empty() ? 0 : entries_.front().time_ms; }
  const Candidate* Best() const { return entries_.empty() ? nullptr : &entries_.front().candidate; }

 private:
  struct Entry {
    Candidate candidate;
    double time_ms = 0;
  };

  std::size_t capacity_;
  CubinStore& cubins_;
  std::vector<Entry> entries_;
};

}  // namespace croq::tune
