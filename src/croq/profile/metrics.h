#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "croq/profile/catalog.h"
#include "croq/profile/export.h"

namespace croq::profile {

/// A figure with where it comes from, or why it is missing.
struct Metric {
  std::optional<double> value;
  std::string unit;
  std::string id;     ///< the metric's; of a computed figure the formula over ids
  std::string label;  ///< what the details page calls it, where it was read there
  std::string why;    ///< where there is no value
};

struct Stall {
  std::string reason;  ///< long_scoreboard
  double share = 0;    ///< % of a warp's latency, or of the samples
  std::string id;      ///< what it is computed from
};

/// What is known of one launch.
struct LaunchMetrics {
  std::map<std::string, Metric, std::less<>> metrics;  ///< by MetricSpec::name, and the computed
  std::vector<Stall> stalls;  ///< largest first; without `selected` and `not_selected`
  std::string no_stalls;      ///< why there are none

  /// A missing metric with a reason where the name is not known.
  const Metric& operator[](std::string_view name) const;
  std::optional<double> Value(std::string_view name) const { return (*this)[name].value; }
};

/// A launch's readings by name. It points into them.
class ReadingIndex {
 public:
  explicit ReadingIndex(std::span<const Reading> readings);
  /// All of that name, in the file's order.
  std::span<const Reading* const> Find(std::string_view name) const;

 private:
  std::vector<const Reading*> sorted_;
};

/// The first of the spec's ids and labels that holds a number.
Metric LookUp(const MetricSpec& spec, const ReadingIndex& readings, DecimalMark mark);

/// The catalogue's figures of a launch, and those computed from them: waves, the SMs' active share,
/// bytes moved, tensor operations, the share of bank conflicts, stalls.
LaunchMetrics ReadMetrics(const Export& exported, const Launch& launch);

}  // namespace croq::profile
