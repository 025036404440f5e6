#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

namespace croq::backend {

/// How long a compile may take, learnt from those that ended: clamp(4 x p95, 10 s, 60 s), and 60 s
/// while fewer than kEnough have been seen. Compiles that were killed do not count: they say
/// nothing of how long honest ones take.
class AdaptiveDeadline {
 public:
  static constexpr std::size_t kEnough = 8;
  static constexpr std::size_t kRemembered = 200;  ///< the most recent ones

  AdaptiveDeadline(std::chrono::milliseconds least, std::chrono::milliseconds most)
      : least_(least), most_(most) {}

  void Observe(std::chrono::milliseconds took);
  std::chrono::milliseconds Current() const;

 private:
  std::chrono::milliseconds least_;
  std::chrono::milliseconds most_;
  std::vector<std::chrono::milliseconds> seen_;  ///< a ring once full
  std::size_t next_ = 0;
};

}  // namespace croq::backend
