#pragma once

#include <cstdint>

#include "croq/model/config.h"
#include "croq/model/device.h"
#include "croq/model/shape_key.h"

namespace croq::search {

/// What the compiler gave, read out of a cubin.
struct BuiltResources {
  int registers = 0;              ///< per thread
  int local_bytes = 0;            ///< per thread; above 0: spills
  std::int64_t shared_bytes = 0;  ///< per block
};

/// A configuration of a matmul, as the cost model sees it: levers that a variant lacks have the
/// value that changes nothing.
struct TileFacts {
  bool descriptors = false;  ///< the copy engine loads tiles (TMA), not pointers
  bool built_in_kernel = false;  ///< the kernel makes its descriptors itself
  bool transposed = false;   ///< the matrix units' rows come from BLOCK_N
  bool persistent = false;   ///< a fixed number of programs strides over the tiles
  bool flattened = false;
  bool matrix_unit = true;   ///< false: FMA units (IEEE float32)
  std::int64_t block_m = 0;  ///< of one block; a cluster's tile is larger
  std::int64_t block_n = 0;
  std::int64_t block_k = 0;
  std::int64_t group_m = 1;
  bool specialised = false;  ///< one warp group loads, two multiply
  std::int64_t warps = 4;    ///< of a block, all of them
  std::int64_t multiplying_warps = 4;
  std::int64_t stages = 3;
  std::int64_t ctas = 1;
  std::int64_t split_k = 1;
  bool stream_k = false;             ///< the tiles of the last wave are shared out evenly
  std::int64_t programs_per_sm = 1;  ///< of a persistent variant
  int element_bytes = 2;  ///< of A and B
  int result_bytes = 2;   ///< of C
  int odd_hints = 0;  ///< eviction policies that are set: a tie-breaker

  std::int64_t tiles_m = 0;
  std::int64_t tiles_n = 0;
  std::int64_t tiles = 0;  ///< programs' worth of work, split-K parts included
  std::int64_t steps = 0;  ///< of the K loop of one of them
  int blocks_per_sm = 1;   ///< that fit an SM at once
  double spill_bytes = 0;  ///< per thread
};

/// What an SM holds at most, since compute capability 8.0 (CUDA C++ Programming Guide, table of
/// technical specifications).
inline constexpr int kWarpsPerSm = 64;
inline constexpr int kBlocksPerSm = 32;

/// Without `built`, registers and shared memory are estimated.
TileFacts FactsOf(const ShapeKey& shape, const DeviceFacts& device, const Config& config,
                  const BuiltResources* built);

/// Shared memory of a block in bytes, as Triton allocates it: the stages of A and B and, where a
/// persistent kernel stores by descriptor, the tile of C beside them. Within 100 bytes of what
/// Triton 3.6 gave for 1,729 of 1,788 configurations of f16 on sm_90, and below it for the rest.
std::int64_t EstimateSharedBytes(const ShapeKey& shape, const Config& config);

/// Registers per thread: the accumulator and what the loads need beside it. Not capped: above 255
/// the compiler spills.
double EstimateRegisters(const Config& config);

}  // namespace croq::search
