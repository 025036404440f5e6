#pragma once

#include <span>
#include <string_view>

#include "croq/profile/unit.h"

namespace croq::profile {

/// Where a figure stands on the details page: a label, in a section whose name holds `section`, and
/// the metric it shows (the spec's first id, unless it says otherwise).
struct DetailsLabel {
  std::string_view section;
  std::string_view label;
  std::string_view id = {};
};

/// One figure that croq reads: its own name for it, and what ncu's releases call it, in order of
/// preference.
struct MetricSpec {
  std::string_view name;
  Dimension dimension = Dimension::kOther;
  std::string_view unit;  ///< of counts and ratios, as croq prints it
  std::span<const std::string_view> ids;
  std::span<const DetailsLabel> labels;
};

/// All of them but the stalls.
std::span<const MetricSpec> Catalog();

const MetricSpec& DurationSpec();

/// Reasons that a warp stalls for, as the metric ids spell them.
std::span<const std::string_view> StallReasons();

}  // namespace croq::profile
