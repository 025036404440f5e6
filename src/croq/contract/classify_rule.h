#pragma once

#include <string>
#include <vector>

namespace croq::contract {

/// A figure of the rule as the file words it.
struct Threshold {
  std::string name;
  double value = 0;
  std::string unit;
  std::string meaning;
  std::string source;  ///< where the figure comes from
};

/// What bounds a profiled kernel: section [classify] of the contract, all of it beyond the
/// contract's text. Throughputs are percentages of peak, differences are points of them.
struct ClassifyRule {
  std::string text;  ///< the rule in words, with the names of the thresholds
  std::vector<Threshold> thresholds;

  double high = 0;           ///< %: from here on a side is at its limit
  double low = 0;            ///< %: below it on both sides neither bounds the kernel
  double balanced = 0;       ///< points
  double balanced_high = 0;  ///< points, where both sides are at their limit
  double largest = 0;        ///< %: above it a throughput is a broken reading
  double full_wave = 0;      ///< waves
  double busy_share = 0;     ///< of the elapsed cycles, 0 to 1
  double short_us = 0;
  double unsteady_us = 0;
  double host_ratio = 0;  ///< wall time of a call over the kernel's
  double level = 0;       ///< points below the memory throughput
  double near = 0;        ///< points
  double near_share = 0;  ///< of waves, active share, duration, wall time
  double tail = 0;        ///< % of the time
  double conflicts = 0;   ///< % of the wavefronts
  double stalls_shown = 0;
};

}  // namespace croq::contract
