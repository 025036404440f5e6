#include "croq/search/elite.h"

#include <iterator>

namespace croq::search {

void Elite::Enter(const Config& config, double time_ms) {
  Remove(config);
  const std::string text = config.Text();
  times_.emplace(text, time_ms);
  order_.emplace(std::pair(time_ms, text), config);
  if (order_.size() <= kMost)
    return;
  const auto last = std::prev(order_.end());
  times_.erase(last->first.second);
  order_.erase(last);
}

void Elite::Remove(const Config& config) {
  const auto known = times_.find(config.Text());
  if (known == times_.end())
    return;
  order_.erase(std::pair(known->second, known->first));
  times_.erase(known);
}

std::vector<Scored> Elite::Best(std::size_t count) const {
  std::vector<Scored> best;
  for (const auto& [key, config] : order_) {
    if (best.size() == count)
      break;
    best.push_back({config, key.first});
  }
  return best;
}

}  // namespace croq::search
