#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "croq/profile/ideas.h"
#include "croq/search/strategy.h"
#include "croq/tune/profile_source.h"
#include "croq/tune/round_rules.h"

namespace croq::tune {

/// What rounds that follow ideas work with.
struct IdeaSettings {
  ProfileSource* counters = nullptr;          ///< null: profiles are static
  std::vector<profile::IdeaRecord> history = {};  ///< of earlier sessions of the operator
  search::Predictor predict = {};             ///< ranks an idea's configurations; may be empty
  /// Counters and SASS beside those of the baseline's kernel; may be empty.
  std::function<Result<nlohmann::json>(const Candidate& best)> deeper_look = {};
  RuleLimits limits = {};
};

}  // namespace croq::tune
