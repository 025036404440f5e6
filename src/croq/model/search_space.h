#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "croq/model/config.h"

namespace croq {

/// One tunable of a variant with the values it may take, in order (neighbours differ by one place).
struct Lever {
  std::string name;
  std::vector<LeverValue> values;

  friend bool operator==(const Lever&, const Lever&) = default;
};

/// One structure of a kernel with its levers.
struct VariantSpace {
  std::string variant;
  std::vector<Lever> levers;

  friend bool operator==(const VariantSpace&, const VariantSpace&) = default;
};

/// Everything a strategy may propose from. `reject` says why a configuration can't be built (the
/// reason, recorded as outcome `constraints`) or nothing where it may be.
struct SearchSpace {
  std::vector<VariantSpace> variants;
  std::function<std::optional<std::string>(const Config&)> reject;

  /// Configurations before constraints.
  double Size() const;
};

}  // namespace croq
