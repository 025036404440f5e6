#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "croq/base/result.h"
#include "croq/model/config.h"
#include "croq/model/device.h"
#include "croq/model/iteration.h"
#include "croq/model/shape_key.h"

namespace croq::profile {

/// One number with where it comes from: a metric id, "cubin", or how it was worked out.
struct Figure {
  double value = 0;
  std::string metric;

  friend bool operator==(const Figure&, const Figure&) = default;
};

/// What is known of one kernel before an idea is chosen: the verdict, and figures by their names in
/// contract/figures.h. A figure that was not measured is absent, never a guess.
struct KernelProfile {
  std::string bottleneck;  ///< memory_bound, compute_bound, latency_bound, launch_bound, mixed
  std::string level;       ///< dram, l2, l1; empty where the verdict is no memory's
  std::string confidence;  ///< high, medium, low
  std::string runner_up;   ///< the verdict beyond a near boundary; empty: none near
  bool is_static = false;  ///< from the cubin, the roofline and a time; no counter was read
  bool predicted = false;  ///< the time, too, is the model's
  std::string kernel;      ///< the function that was profiled, as ncu names it; empty: none was
  std::string candidate;   ///< the function that was to be; empty: not known
  std::map<std::string, Figure, std::less<>> figures;

  const Figure* Find(std::string_view name) const;
  void Set(std::string name, double value, std::string metric);
};

/// "long_scoreboard 38.2% (smsp__...)", as evidence lines write a figure.
std::string FormatFigure(std::string_view name, const Figure& figure);

nlohmann::json ToJson(const KernelProfile& evidence);
/// Error where the text is none of ToJson's.
Result<KernelProfile> KernelProfileFromJson(const std::string& text);

/// What rules need beside counters.
struct BaseFacts {
  const ShapeKey& shape;
  const DeviceFacts& device;
  const Config& config;
  const BuildFacts& build;  ///< 0 registers: not built
  double time_ms = 0;       ///< cold; 0: not known
  double floor_ms = 0;      ///< the roofline's least time; 0: not known
};

/// Adds the figures that follow from configuration, problem, device and cubin. Figures that
/// counters gave stay.
void AddBaseFigures(KernelProfile& evidence, const BaseFacts& facts);

/// The verdict without counters: the side that the roofline's floor is on, where the time is near
/// it; the grid's where it leaves SMs idle; latency_bound otherwise.
KernelProfile StaticProfile(const BaseFacts& facts, bool predicted);

}  // namespace croq::profile
