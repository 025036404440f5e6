#pragma once

#include "croq/base/clock.h"

namespace croq {

/// Adds the wall time of a scope to a sum, however it is left.
class ScopeTimer {
 public:
  /// `unit`: how many of the sum's units a second has, 1e3 for milliseconds.
  explicit ScopeTimer(double& sum, double unit = 1) : sum_(sum), unit_(unit) {}
  ~ScopeTimer() { sum_ += unit_ * SecondsSince(start_); }
  ScopeTimer(const ScopeTimer&) = delete;
  ScopeTimer& operator=(const ScopeTimer&) = delete;

 private:
  double& sum_;
  const double unit_;
  const SteadyTime start_ = std::chrono::steady_clock::now();
};

}  // namespace croq
