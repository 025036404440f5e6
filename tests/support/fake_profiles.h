#pragma once

#include <functional>
#include <string>
#include <vector>

#include "croq/contract/scripts.h"
#include "croq/tune/profile_source.h"

namespace croq::testing {

/// Counters by script: every kernel has the same verdict unless `shape` says otherwise.
class FakeProfiles : public tune::ProfileSource {
 public:
  Result<profile::KernelProfile> Profile(const tune::Candidate& candidate,
                                        const tune::ProfileWish& wish) override {
    profiled.push_back(candidate.config.Text());
    wishes.push_back(wish);
    if (!error.empty())
      return Failure(error);
    profile::KernelProfile profile;
    profile.bottleneck = bottleneck;
    profile.confidence = "high";
    profile.kernel = contract::FirstKernelOf(candidate.plan);
    profile.Set("tensor_pct", 50, "sm__pipe_tensor_cycles_active");
    if (shape)
      shape(candidate, profile);
    return profile;
  }

  Result<profile::KernelProfile> ProfileBaseline(double) override {
    profile::KernelProfile profile;
    profile.bottleneck = "compute_bound";
    return profile;
  }

  std::string bottleneck = "latency_bound";
  std::string error;
  std::function<void(const tune::Candidate&, profile::KernelProfile&)> shape;
  std::vector<std::string> profiled;
  std::vector<tune::ProfileWish> wishes;
};

}  // namespace croq::testing
