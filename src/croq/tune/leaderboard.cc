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

void Leaderboard::MoveTo(Leaderboard& other, const std::set<std::string>* configs) {
  std::vector<Entry> staying;
  std::vector<Entry> moving;
  for (Entry& entry : entries_) {
    const bool moves = configs == nullptr || configs->contains(entry.candidate.config.Text());
    (moves ? moving : staying).push_back(std::move(entry));
  }
  entries_ = std::move(staying);
  for (Entry& entry : moving) other.Add(std::move(entry.candidate), entry.time_ms);
}

std::vector<std::pair<Config, double>> Leaderboard::Times() const {
  std::vector<std::pair<Config, double>> times;
  for (const Entry& entry : entries_) times.emplace_back(entry.candidate.config, entry.time_ms);
  return times;
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
