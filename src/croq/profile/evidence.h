#pragma once

#include <optional>
#include <string>
#include <vector>

#include "croq/contract/classify_rule.h"
#include "croq/profile/metrics.h"

namespace croq::profile {

/// What the device does at best, as measured on it; nothing where it was not measured.
struct Ceilings {
  std::optional<double> copy_gb_per_s;  ///< device-to-device copy, read + written bytes
  std::optional<double> matmul_tflops;  ///< of the problem's dtype
  std::optional<double> operations;     ///< of one launch by the problem's formula; else counted
};

/// Where a launch stands under the roofline.
struct Roofline {
  double gb_per_s = 0;                 ///< DRAM bytes over duration
  double copy_share = 0;               ///< % of the copy rate
  std::optional<double> tflops;        ///< tensor operations over duration
  std::optional<double> matmul_share;  ///< % of the matmul rate
  std::optional<double> intensity;     ///< operations a DRAM byte
  std::optional<double> ridge;         ///< the intensity at which both ceilings meet
  std::string ids;                     ///< what it is computed from
};

/// What stands beside the verdict. Each is named only where it counts.
struct Evidence {
  std::vector<std::string> limiters;  ///< what caps the blocks of an SM; several where they tie
  std::string no_limiter;
  std::optional<double> tail;  ///< % of the time that a part-filled last wave may cost
  bool spills = false;
  bool conflicts = false;  ///< bank conflicts above the contract's share
  std::optional<Roofline> roofline;
  std::string no_roofline;
};

Evidence Gather(const contract::ClassifyRule& rule, const LaunchMetrics& metrics,
                const Ceilings& ceilings);

}  // namespace croq::profile
