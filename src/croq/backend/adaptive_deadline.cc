#include "croq/backend/adaptive_deadline.h"

#include <algorithm>

namespace croq::backend {

void AdaptiveDeadline::Observe(std::chrono::milliseconds took) {
  if (seen_.size() < kRemembered) {
    seen_.push_back(took);
    return;
  }
  seen_[next_] = took;
  next_ = (next_ + 1) % kRemembered;
}

std::chrono::milliseconds AdaptiveDeadline::Current() const {
  if (seen_.size() < kEnough)
    return most_;
  // Nearest rank: the smallest value that at least 95% do not exceed.
  std::vector<std::chrono::milliseconds> sorted = seen_;
  const std::size_t rank = (sorted.size() * 95 + 99) / 100 - 1;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(rank),
                   sorted.end());
  return std::clamp(4 * sorted[rank], least_, most_);
}

}  // namespace croq::backend
