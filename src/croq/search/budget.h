#pragma once

#include <cstdint>
#include <string_view>

namespace croq::search {

/// What ends a search; 0 means no such limit.
struct Limits {
  std::int64_t trials = 0;
  double seconds = 0;
  int rounds = 0;
  std::int64_t trials_without_gain = 0;
};

/// How far a search has come. The caller keeps the clock.
struct Progress {
  std::int64_t trials = 0;
  double seconds = 0;
  int rounds = 0;
  std::int64_t trials_since_gain = 0;
};

enum class StopReason { kNone, kTime, kTrials, kRounds, kNoGain };

/// The first limit that was reached, in the order of StopReason.
StopReason ReachedLimit(const Limits& limits, const Progress& progress);

/// "", "time", "trials", "rounds", "no gain".
std::string_view NameOf(StopReason reason);

/// Counts trials since the best time last fell by more than the noise.
class GainTracker {
 public:
  /// `relative_gain`: 0.005 counts a trial as a gain where it is over 0.5% faster than the best.
  explicit GainTracker(double relative_gain = 0.005) : relative_gain_(relative_gain) {}

  /// One trial's time; 0 where it has none (it failed).
  void Add(double time_ms);

  std::int64_t trials_since_gain() const { return since_gain_; }
  double best_ms() const { return best_ms_; }  ///< 0: none yet

 private:
  double relative_gain_;
  double best_ms_ = 0;
  double gain_base_ms_ = 0;  ///< the best at the last gain: many small steps add up to one
  std::int64_t since_gain_ = 0;
};

}  // namespace croq::search
