#pragma once

#include <cstdint>

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

/// Sets are made until all of them together exceed twice the L2, so that a set is no longer in the
/// cache when its turn comes again, and at least 3; at most 1024, so problems below a thousandth of
/// the L2 stay in it (they are bound by their launch, not by memory). Where memory is short, as
/// many as fit beside one reference, down to 2. Error: what two sets need and what is free.
Result<SetPlan> PlanSets(const ShapeKey& shape, std::int64_t l2_bytes, std::int64_t free_bytes);

}  // namespace croq::runner
