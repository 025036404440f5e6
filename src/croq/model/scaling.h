#pragma once

#include <cstdint>
#include <optional>

#include "croq/model/shape_key.h"

/// The float32 scales of FP8 operands: an element stands for its value times the scale of its block.
namespace croq {

/// Elements along K, and of B along N, that share a scale in blockscale_gemm.
inline constexpr std::int64_t kScaleBlock = 128;

/// The scales of one operand, a row-major matrix [lines, steps]. Lines are M of A and N of B.
struct ScaleGrid {
  std::int64_t block_lines = 1;  ///< rows of A, or of B as [N,K], that share a scale
  std::int64_t block_depth = 1;  ///< elements along K that do
  std::int64_t lines = 1;
  std::int64_t steps = 1;

  std::int64_t Elements() const { return lines * steps; }
  std::int64_t Bytes() const { return Elements() * 4; }
};

struct Scaling {
  ScaleGrid a;
  ScaleGrid b;
};

/// matmul_nt: one scale a tensor. blockscale_gemm: one for 1 x 128 elements of A and 128 x 128 of B,
/// as DeepSeek-V3 quantises activations and weights. Nothing for other dtypes.
std::optional<Scaling> ScalingOf(const ShapeKey& shape);

}  // namespace croq
