#include "croq/search/budget.h"

namespace croq::search {

StopReason ReachedLimit(const Limits& limits, const Progress& progress) {
  if (limits.seconds > 0 && progress.seconds >= limits.seconds)
    return StopReason::kTime;
  if (limits.trials > 0 && progress.trials >= limits.trials)
    return StopReason::kTrials;
  if (limits.rounds > 0 && progress.rounds >= limits.rounds)
    return StopReason::kRounds;
  if (limits.trials_without_gain > 0 && progress.trials_since_gain >= limits.trials_without_gain) {
    return StopReason::kNoGain;
  }
  return StopReason::kNone;
}

std::string_view NameOf(StopReason reason) {
  switch (reason) {
    case StopReason::kNone:
      return "";
    case StopReason::kTime:
      return "time";
    case StopReason::kTrials:
      return "trials";
    case StopReason::kRounds:
      return "rounds";
    case StopReason::kNoGain:
      return "no gain";
  }
  return "";
}

void GainTracker::Add(double time_ms) {
  ++since_gain_;
  if (time_ms <= 0)
    return;
  if (best_ms_ == 0 || time_ms < best_ms_)
    best_ms_ = time_ms;
  if (gain_base_ms_ == 0 || time_ms < gain_base_ms_ * (1 - relative_gain_)) {
    gain_base_ms_ = time_ms;
    since_gain_ = 0;
  }
}

}  // namespace croq::search
