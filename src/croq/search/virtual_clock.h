#pragma once

#include <algorithm>
#include <functional>
#include <queue>
#include <vector>

namespace croq::search {

/// What a search on a recording would have taken, in ms: compile workers side by side, one GPU, and
/// a builder that the GPU waits for. Nothing sleeps.
class VirtualClock {
 public:
  explicit VirtualClock(int workers) {
    for (int worker = 0; worker < workers; ++worker) free_.push(0);
  }

  double now() const { return now_; }

  /// Gives a job that takes `ms` to the worker that is free first; when it will be done.
  double Compile(double ms) {
    const double begin = std::max(now_, free_.top());
    free_.pop();
    free_.push(begin + ms);
    return begin + ms;
  }
  /// The GPU waits until `at`; the past is no wait.
  void WaitUntil(double at) { now_ = std::max(now_, at); }
  /// The GPU is busy for `ms`.
  void Measure(double ms) { now_ += ms; }

 private:
  std::priority_queue<double, std::vector<double>, std::greater<>> free_;  ///< of each worker
  double now_ = 0;
};

}  // namespace croq::search
