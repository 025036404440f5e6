#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "croq/base/result.h"
#include "croq/model/config.h"
#include "croq/model/device.h"
#include "croq/model/shape_key.h"

namespace croq::operators {

/// The largest divisor of a length that Triton looks for.
inline constexpr std::int64_t kHint = 16;

/// One structure of the matmul kernel; its template is python/operators/matmul/<name>.py.in.
struct MatmulVariant {
  std::string_view name;
  std::string_view tag;        ///< short form for file names
  bool host_descriptors;       ///< TensorDescriptor arguments
  bool device_descriptors;     ///< tl.make_tensor_descriptor in the kernel
  bool persistent;             ///< a grid-stride loop over the tiles
  bool split_k;                ///< SPLIT_K programs share a tile; a second kernel adds their parts
  bool stream_k;               ///< so do those of the tiles that are left over
  bool skinny;                 ///< the transposed tile: the matrix units' rows come from N

  bool Descriptors() const { return host_descriptors || device_descriptors; }
  /// Its loop over K can scale each step on its own.
  bool BlockScales() const { return !skinny && !split_k && !stream_k; }
  /// C, or its parts, are stored through pointers.
  bool StoresByPointer() const { return !Descriptors() || split_k || skinny; }
};

inline constexpr std::array<MatmulVariant, 9> kMatmulVariants{{
    {"tiled", "tiled", false, false, false, false, false, false},
    {"descriptor", "desc", true, false, false, false, false, false},
    {"skinny", "skinny", true, false, false, false, false, true},
    {"persistent", "persist", false, true, true, false, false, false},
    {"persistent_host", "hpersist", true, false, true, false, false, false},
    {"persistent_pointer", "pptr", false, false, true, false, false, false},
    {"split_k", "splitk", false, false, false, true, false, false},
    {"split_k_descriptor", "dsplitk", true, false, false, true, false, false},
    {"stream_k", "streamk", true, false, true, false, true, false},
}};

/// Nothing where there is no such variant.
const MatmulVariant* FindMatmulVariant(std::string_view name);

/// What the generator works from. `b_is_nk`: B is stored as [N, K].
struct MatmulProblem {
  ShapeKey shape;
  DeviceFacts device;

  bool b_is_nk() const { return shape.BIsNk(); }
  /// Of an element of A and B, and of C.
  int bytes() const { return FactsOf(shape.dtype).operand.bytes; }
  int result_bytes() const { return FactsOf(shape.dtype).result.bytes; }
  /// FP8: A and B have float32 scales, for the whole tensor or for blocks.
  bool scaled() const { return FactsOf(shape.dtype).scaled; }
  bool block_scaled() const { return shape.op == Operator::kBlockscaleGemm; }
  /// f16, bf16, tf32 and FP8 are multiplied by tensor cores; IEEE f32 is not.
  bool tensor_cores() const { return shape.dtype != DType::kF32; }
};

/// A Config's levers by name and type. Levers that a variant does not have keep their defaults.
struct MatmulConfig {
  const MatmulVariant* variant = nullptr;
  std::int64_t block_m = 0;
  std::int64_t block_n = 0;
  std::int64_t block_k = 0;
  std::int64_t group_m = 1;
  std::string evict_a;               ///< "", evict_first, evict_last ("" is the lever's `none`)
  std::string evict_b;
  std::int64_t epilogue_split = 1;
  bool flatten = false;
  bool warp_specialize = false;
  std::int64_t programs_per_sm = 1;
  std::int64_t split_k = 1;
  std::int64_t num_warps = 4;
  std::int64_t num_stages = 1;
  std::int64_t num_ctas = 1;

  std::int64_t TilesM(const ShapeKey& shape) const { return (shape.m - 1) / block_m + 1; }
  std::int64_t TilesN(const ShapeKey& shape) const { return (shape.n - 1) / block_n + 1; }
  std::int64_t Tiles(const ShapeKey& shape) const { return TilesM(shape) * TilesN(shape); }
  std::int64_t StepsK(const ShapeKey& shape) const { return (shape.k - 1) / block_k + 1; }
  /// Of a block. Warp specialisation (num_warps = 4) adds two warp groups: one loads, two multiply.
  std::int64_t Threads() const { return 32 * (warp_specialize ? 3 * num_warps : num_warps); }
  std::int64_t MultiplyingThreads() const {
    return 32 * (warp_specialize ? 2 * num_warps : num_warps);
  }
  /// Programs of a persistent kernel: what fits on the device at once.
  std::int64_t NumPrograms(const DeviceFacts& device) const;
  /// Programs launched, for each part of a split K.
  std::int64_t Grid(const MatmulProblem& problem) const;
  /// Tiles that the programs of a stream-K share: what is left after whole waves.
  std::int64_t SharedTiles(const MatmulProblem& problem) const;
  /// Of the partial results in float32; 0 where there are none.
  std::int64_t WorkspaceBytes(const MatmulProblem& problem) const;
};

/// Error for an unknown variant, a missing lever or one of the wrong type.
Result<MatmulConfig> ReadMatmulConfig(const Config& config);

/// The smallest power of two at or above `value`, which is at least 1.
std::int64_t NextPowerOfTwo(std::int64_t value);

}  // namespace croq::operators
