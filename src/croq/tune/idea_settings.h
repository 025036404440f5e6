#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "croq/profile/floor.h"
#include "croq/profile/ideas.h"
#include "croq/search/strategy.h"
#include "croq/tune/profile_source.h"
#include "croq/tune/round_rules.h"

namespace croq::tune {

/// What rounds that follow ideas work with.
struct IdeaSettings {
  ProfileSource* counters = nullptr;          ///< null: profiles are static
  std::string no_counters = {};               ///< then: why
  std::vector<profile::IdeaRecord> history = {};  ///< of earlier sessions of the operator
  search::Predictor predict = {};             ///< ranks an idea's configurations; may be empty
  /// The instruction mix of a candidate's code; may be empty.
  std::function<Result<nlohmann::json>(const Candidate& candidate)> sass = {};
  double copy_gb_per_s = 0;  ///< measured, read and written bytes; 0: the device's stated rate
  RuleLimits limits = {};

  /// The roofline's least time.
  double FloorMillis(DeviceFacts device, const ShapeKey& shape, int sm_clock_mhz) const {
    if (copy_gb_per_s > 0) device.memory_gb_per_s = copy_gb_per_s;
    return profile::FloorMillis(device, shape, sm_clock_mhz);
  }
};

}  // namespace croq::tune
