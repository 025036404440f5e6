#pragma once

#include <optional>
#include <string>
#include <vector>

#include "croq/model/config.h"
#include "croq/model/device.h"
#include "croq/model/search_space.h"
#include "croq/model/shape_key.h"
#include "croq/search/tile_facts.h"

namespace croq::search {

struct RecordedTime {
  Config config;
  double time_ms = 0;
  BuiltResources built;
};

/// All that one H200 was recorded to take for one shape.
struct RecordedShape {
  ShapeKey shape;
  std::vector<RecordedTime> times;  ///< fastest first

  double best_ms() const { return times.front().time_ms; }
};

/// The recordings that lie beside a developer's checkout, or nothing where there are none. Rows
/// whose time is the host's and not the kernel's (descriptors made by the Python launcher, at
/// 1024^3) are left out.
std::optional<std::vector<RecordedShape>> ReadRecordedSweep();

DeviceFacts RecordedDevice();

/// A space of just the recorded configurations.
SearchSpace SpaceOf(const RecordedShape& recorded);

/// Spearman's rank correlation of two lists.
double RankCorrelation(const std::vector<double>& one, const std::vector<double>& other);

}  // namespace croq::search
