#pragma once

#include <cuda.h>

#include <array>

#include "croq/base/result.h"
#include "croq/model/launch_plan.h"
#include "croq_runner/driver.h"

namespace croq::runner {

inline constexpr int kMaxTensorRank = 5;

/// What cuTensorMapEncodeTiled is given, innermost dimension first (Triton counts from the
/// outermost). Triton's own encoder: third_party/nvidia/backend/driver.c, fill_tma_descriptor.
struct TensorMapParams {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_UINT8;
  cuuint32_t rank = 0;
  std::array<cuuint64_t, kMaxTensorRank> dims{};     ///< elements
  std::array<cuuint64_t, kMaxTensorRank> strides{};  ///< bytes; rank - 1 of them, of dims 1 and up
  std::array<cuuint32_t, kMaxTensorRank> box{};      ///< elements
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
};

/// Error: what the hardware would not take (rank, a dimension of 0, a stride that is no multiple of
/// 16 bytes, a last stride other than 1), in words, for the driver only says invalid value.
Result<TensorMapParams> MakeTensorMapParams(const DescriptorArgument& argument,
                                            const CompiledKernel::TensorDescMeta& meta);

/// `map` must be aligned to 64 bytes; `base` to 16.
Status EncodeTensorMap(const Driver& driver, const TensorMapParams& params, CUdeviceptr base,
                       CUtensorMap* map);

}  // namespace croq::runner
