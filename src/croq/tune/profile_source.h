#pragma once

#include <string>

#include "croq/base/result.h"
#include "croq/profile/kernel_profile.h"
#include "croq/tune/evaluator.h"

namespace croq::tune {

struct ProfileWish {
  double deadline_seconds = 60;  ///< it ends by then
  int iteration = -1;            ///< whose exports it is to leave; below 0: nobody's
};

/// Where the counters of a candidate come from.
class ProfileSource {
 public:
  virtual ~ProfileSource() = default;

  /// The verdict and the figures of one launch. An error is a sentence that says why there are
  /// none; the round goes on with a static profile.
  virtual Result<profile::KernelProfile> Profile(const Candidate& candidate,
                                                 const ProfileWish& wish) = 0;
  /// The same of the baseline's kernel (iter000).
  virtual Result<profile::KernelProfile> ProfileBaseline(double /*deadline_seconds*/) {
    return Failure("the baseline's kernel can't be profiled here");
  }
};

}  // namespace croq::tune
