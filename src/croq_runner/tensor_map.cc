#include "croq_runner/tensor_map.h"

#include <fmt/format.h>

namespace croq::runner {
namespace {

/// Triton's number of an element type to the driver's: they part ways at 8 (bf16, float32 flushed
/// to zero, float64 are 10, 8, 9 there).
CUtensorMapDataType DataTypeOf(int elem_type) {
  switch (elem_type) {
    case 8:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ;
    case 9:
      return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
    case 10:
      return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    default:
      return static_cast<CUtensorMapDataType>(elem_type);
  }
}

constexpr std::int64_t kAlignment = 16;
constexpr std::int64_t kMaxBox = 256;
constexpr std::int64_t kMaxDim = std::int64_t{1} << 32;

Status CheckRank(const DescriptorArgument& argument, const CompiledKernel::TensorDescMeta& meta) {
  const std::size_t rank = meta.block_size.size();
  if (rank < 1 || rank > kMaxTensorRank) {
    return Failure(
        fmt::format("a tensor descriptor has 1 to {} dimensions, not {}", kMaxTensorRank, rank));
  }
  if (argument.shape.size() != rank || argument.strides.size() != rank) {
    return Failure(
        fmt::format("the kernel's descriptor has {} dimensions, the argument {} with {} "
                    "strides",
                    rank, argument.shape.size(), argument.strides.size()));
  }
  if (argument.strides.back() != 1) {
    return Failure(fmt::format("a tensor descriptor's last stride must be 1, not {}",
                               argument.strides.back()));
  }
  if (meta.elem_size < 1) {
    return Failure(fmt::format("element size {} in the kernel's descriptor", meta.elem_size));
  }
  return {};
}

}  // namespace

Result<TensorMapParams> MakeTensorMapParams(const DescriptorArgument& argument,
                                            const CompiledKernel::TensorDescMeta& meta) {
  CROQ_TRY(CheckRank(argument, meta));
  TensorMapParams params;
  const std::size_t rank = meta.block_size.size();
  params.type = DataTypeOf(meta.elem_type);
  params.rank = static_cast<cuuint32_t>(rank);
  params.swizzle = static_cast<CUtensorMapSwizzle>(meta.swizzle);
  if (argument.nan_padding)
    params.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t inner = rank - 1 - i;
    if (argument.shape[i] < 1 || argument.shape[i] > kMaxDim) {
      return Failure(
          fmt::format("dimension {} of a tensor descriptor is {}", i, argument.shape[i]));
    }
    if (meta.block_size[i] < 1 || meta.block_size[i] > kMaxBox) {
      return Failure(fmt::format("block dimension {} of a tensor descriptor is {}, above {}", i,
                                 meta.block_size[i], kMaxBox));
    }
    params.dims[inner] = static_cast<cuuint64_t>(argument.shape[i]);
    params.box[inner] = static_cast<cuuint32_t>(meta.block_size[i]);
    if (inner == 0)
      continue;
    const std::int64_t stride = argument.strides[i];
    if (stride < 1 || stride > (std::int64_t{1} << 40) / meta.elem_size ||
        stride * meta.elem_size % kAlignment != 0) {
      return Failure(
          fmt::format("stride {} of a tensor descriptor is {} elements of {} bytes, no "
                      "multiple of {} bytes",
                      i, stride, meta.elem_size, kAlignment));
    }
    params.strides[inner - 1] = static_cast<cuuint64_t>(stride * meta.elem_size);
  }
  return params;
}

Status EncodeTensorMap(const Driver& driver, const TensorMapParams& params, CUdeviceptr base,
                       CUtensorMap* map) {
  if (base % kAlignment != 0) {
    return Failure(
        fmt::format("a tensor descriptor's base must be a multiple of {} bytes", kAlignment));
  }
  std::array<cuuint32_t, kMaxTensorRank> steps;
  steps.fill(1);
  return driver.Check(
      driver.TensorMapEncodeTiled(map, params.type, params.rank, reinterpret_cast<void*>(base),
                                  params.dims.data(), params.strides.data(), params.box.data(),
                                  steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, params.swizzle,
                                  CU_TENSOR_MAP_L2_PROMOTION_L2_128B, params.fill),
      "cuTensorMapEncodeTiled");
}

}  // namespace croq::runner
