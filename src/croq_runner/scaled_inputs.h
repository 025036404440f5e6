#pragma once

#include <cuda.h>

#include <cstdint>

#include "croq/base/result.h"
#include "croq/model/scaling.h"
#include "croq_runner/device_kernels.h"
#include "croq_runner/device_objects.h"
#include "croq_runner/driver.h"

namespace croq::runner {

/// What one input set of an FP8 problem has beside A, B and C.
struct ScaledInputs {
  DeviceBuffer scale_a;  ///< float32, croq/model/scaling.h
  DeviceBuffer scale_b;
  DeviceBuffer bar_a;    ///< of blockscale_gemm: A times its scales in float16, for cuBLAS
  DeviceBuffer bar_b;

  std::int64_t device_bytes() const {
    return static_cast<std::int64_t>(scale_a.bytes() + scale_b.bytes() + bar_a.bytes() +
                                     bar_b.bytes());
  }
};

/// For a matmul's A and B that lie at `a` and `b`, filled by work on `stream`. `streams` is the
/// first of two random streams of this set's own. Waits for `stream`.
Result<ScaledInputs> MakeScaledInputs(const Driver& driver, DeviceKernels& kernels,
                                      const ShapeKey& shape, std::uint64_t seed,
                                      std::uint32_t streams, CUdeviceptr a, CUdeviceptr b,
                                      CUstream stream);

/// The scales at `address` as kernels take them.
ScaleParams ParamsOf(const ScaleGrid& grid, CUdeviceptr address);

}  // namespace croq::runner
