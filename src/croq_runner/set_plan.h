#pragma once

#include <cstdint>

#include <string_view>

#include "croq/base/result.h"
#include "croq/model/shape_key.h"

namespace croq::runner {

/// Sizes of the operands in bytes, and how many sets of them to make.
struct SetPlan {
  std::int64_t a_bytes = 0;
  std::int64_t b_bytes = 0;
  std::int64_t c_bytes = 0;
  int sets = 0;
};

/// What one problem takes of the device's memory, in bytes.
struct MemoryNeed {
  double a_set = 0;
  double besides = 0;       ///< once: a reference, workspaces
  double more_if_free = 0;  ///< once, where there is room: further references
};

/// How many sets to make: until all of them together exceed twice the L2, so that a set is no longer
/// in the cache when its turn comes again, and at least 3; at most 1024, so problems below a
/// thousandth of the L2 stay in it (they are bound by their launch, not by memory). Where memory is
/// short, as many as fit, down to 2. Error: what `name` needs for two sets and what is free.
Result<int> CountSets(std::string_view name, const MemoryNeed& need, std::int64_t l2_bytes,
                      std::int64_t free_bytes);

/// The sets of a matmul, beside one reference.
Result<SetPlan> PlanSets(const ShapeKey& shape, std::int64_t l2_bytes, std::int64_t free_bytes);

}  // namespace croq::runner
