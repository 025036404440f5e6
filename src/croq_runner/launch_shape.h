#pragma once

#include <cuda.h>

#include <array>
#include <cstdint>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/launch_plan.h"

namespace croq::runner {

/// Grid, block, shared memory and attributes of one launch; everything but the stream.
struct LaunchShape {
  std::array<unsigned, 3> grid{1, 1, 1};  ///< in blocks
  unsigned threads = 0;
  unsigned shared_bytes = 0;
  std::vector<CUlaunchAttribute> attributes;
  bool empty = false;  ///< a grid of no programs: nothing is launched

  /// Points into this shape, which must outlive its use.
  CUlaunchConfig Config(CUstream stream) const;
};

/// From the grid in programs, as Triton 3.6's launcher does (third_party/nvidia/backend/driver.py):
/// a program is a cluster of num_ctas blocks along x. Error: a grid that no device takes.
Result<LaunchShape> MakeLaunchShape(const CompiledKernel& kernel,
                                    const std::array<std::int64_t, 3>& programs);

/// Bytes of scratch that `per_block` bytes a block come to. Error: above 2^40.
Result<std::int64_t> ScratchBytes(const LaunchShape& shape, std::int64_t per_block);

}  // namespace croq::runner
