#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "croq/model/config.h"

namespace croq::search {

struct Scored {
  Config config;
  double time_ms = 0;
};

/// The fastest correct configurations seen so far, fastest first; what falls behind kMost others is
/// forgotten.
class Elite {
 public:
  static constexpr std::size_t kMost = 512;

  /// Enters a time, or replaces the earlier one of the same configuration.
  void Enter(const Config& config, double time_ms);
  /// A configuration that turned out wrong after all.
  void Remove(const Config& config);

  /// At most `count`, fastest first; equal times in the order of their text.
  std::vector<Scored> Best(std::size_t count) const;
  bool empty() const { return times_.empty(); }

 private:
  std::map<std::string, double> times_;                     ///< by text
  std::map<std::pair<double, std::string>, Config> order_;  ///< by time, then text
};

}  // namespace croq::search
