#pragma once

#include "croq/base/result.h"
#include "croq/profile/kernel_profile.h"
#include "croq/tune/evaluator.h"

namespace croq::tune {

/// Where the counters of a candidate come from.
class ProfileSource {
 public:
  virtual ~ProfileSource() = default;

  /// The verdict and the figures of one launch. `cold_ms`: its time outside the profiler. An error
  /// is a sentence that says why there are none; the round goes on with a static profile.
  virtual Result<profile::KernelProfile> Profile(const Candidate& candidate, double cold_ms) = 0;
};

}  // namespace croq::tune
