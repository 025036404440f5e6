#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "croq/model/launch_plan.h"
#include "croq/model/shape_key.h"

namespace croq::runner {

/// Kernels as PTX, which the driver takes where it takes a cubin; with Triton's calling convention.
/// naive: C = A B in f16, one thread an element. lazy: returns at once. wild: writes to an address
/// that is not mapped. endless: never ends.
extern const char* const kRunnerTestPtx;

/// A plan of one launch of `entry` for the shape (matmul_f16fp32 only). Writes the PTX into
/// `folder`.
LaunchPlan PlanOf(const std::string& entry, const ShapeKey& shape,
                  const std::filesystem::path& folder);

/// A brought problem's kernel: r += x in place, y = 2 r, all float32. Where it finds another r than
/// 1, it takes a million clocks longer. mode 1: always so long; 2: also writes x; 3: leaves the
/// last y out; 4: y = r.
extern const char* const kProblemTestPtx;

LaunchPlan AccumulatePlan(std::int64_t count, std::int64_t mode,
                          const std::filesystem::path& folder);

}  // namespace croq::runner
