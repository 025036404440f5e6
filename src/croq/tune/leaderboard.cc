#include "croq/tune/leaderboard.h"

#include <algorithm>

namespace croq::tune {

void Leaderboard::Add(Candidate candidate, double time_ms) {
  const auto at = std::upper_bound(
      entries_.begin(), entries_.end(), time_ms,
      [](double time, const Entry& entry) { return time < entry.time_ms; });
  entries_.insert(at, Entry{std::move(candidate), time_ms});
  if (entries_.size() <= capacity_) return;
  cubins_.Release(entries_.back().candidate.plan);
  entries_.pop_back();
}

void Leaderboard::Remove(const std::string& config_text) {
  std::erase_if(entries_, [&](const Entry& entry) {
    return entry.candidate.config.Text() == config_text;
  });
}

std::vector<Candidate> Leaderboard::Top(std::size_t count, double factor) const {
  std::vector<Candidate> top;
  for (const Entry& entry : entries_) {
    if (top.size() == count || entry.time_ms > BestMillis() * factor) break;
    top.push_back(entry.candidate);
  }
  return top;
}

}  // namespace croq::tune
