// Part of kernels.cu: the reference in fp64, fast enough for 16384^3 in about a second.
//
// A block makes a 64 x 64 tile of c, its 128 threads 8 x 4 elements each. A step takes 16 of k
// through shared memory, where every element lies twice: as double for the sum, as float for the
// sum of absolute values. Conversions to double are slow (16 a clock and SM), so they are done once
// a tile element here and not once a use. Next to 32 DFMA (two issue slots each) go 32 FFMA and 12
// shared loads, so the fp64 pipe stays the bottleneck on a data-centre GPU.

#pragma once

#include "croq_runner/kernel_elements.cuh"

namespace {

constexpr int kTile = kReferenceTile;
constexpr int kStep = kReferenceStep;
constexpr int kRows = 8;     // of c a thread, in pairs 8 rows apart
constexpr int kColumns = 4;  // of c a thread, in pairs 16 columns apart
constexpr int kLoads = kTile * kStep / kReferenceThreads;  // elements a thread brings, per operand
// Two doubles of padding keep 16-byte alignment and spread a column over the banks.
constexpr int kPitch = kTile + 2;

struct Slab {
  double exact[kStep][kPitch];
  float magnitude[kStep][kPitch];
};

/// Where element `load` of a thread lies in the tile: `line` runs along m (or n), `depth` along k.
/// Neighbouring threads take neighbours in memory: along k where k has stride 1, else along lines.
struct TilePlace {
  int line;
  int depth;
};

__device__ __forceinline__ TilePlace PlaceOf(int load, bool along_k) {
  const int t = static_cast<int>(threadIdx.x);
  if (along_k) return {t / kStep + load * (kReferenceThreads / kStep), t % kStep};
  return {t % kTile, t / kTile + load * (kReferenceThreads / kTile)};
}

/// Brings a thread's elements of one tile into registers; outside the matrix they are zero.
__device__ __forceinline__ void Fetch(std::uint64_t base, Element element, std::int64_t first_line,
                                      std::int64_t lines, std::int64_t first_k, std::int64_t k,
                                      std::int64_t line_stride, std::int64_t k_stride,
                                      const ScaleParams& scales, float (&held)[kLoads]) {
#pragma unroll
  for (int load = 0; load < kLoads; ++load) {
    const TilePlace place = PlaceOf(load, k_stride == 1);
    const std::int64_t line = first_line + place.line;
    const std::int64_t depth = first_k + place.depth;
    held[load] = 0.0f;
    if (line >= lines || depth >= k) continue;
    held[load] =
        Load(base, static_cast<std::uint64_t>(line * line_stride + depth * k_stride), element);
    if (scales.scales != 0) held[load] *= ScaleOf(scales, line, depth);
  }
}

__device__ __forceinline__ void Put(Slab& slab, bool along_k, const float (&held)[kLoads]) {
#pragma unroll
  for (int load = 0; load < kLoads; ++load) {
    const TilePlace place = PlaceOf(load, along_k);
    slab.exact[place.depth][place.line] = static_cast<double>(held[load]);
    slab.magnitude[place.depth][place.line] = fabsf(held[load]);
  }
}

/// Consecutive blocks share rows of a and columns of b in groups of 8 rows of tiles, for the L2.
__device__ __forceinline__ void TileOf(std::int64_t block, std::int64_t tile_rows,
                                       std::int64_t tile_columns, std::int64_t& row,
                                       std::int64_t& column) {
  constexpr std::int64_t kGroup = 8;
  const std::int64_t group = block / (kGroup * tile_columns);
  const std::int64_t first = group * kGroup;
  const std::int64_t height = tile_rows - first < kGroup ? tile_rows - first : kGroup;
  const std::int64_t within = block - group * kGroup * tile_columns;
  row = first + within % height;
  column = within / height;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kReferenceThreads) croq_reference(ReferenceParams p) {
  __shared__ __align__(16) Slab a_slab;
  __shared__ __align__(16) Slab b_slab;
  std::int64_t tile_row = 0;
  std::int64_t tile_column = 0;
  TileOf(blockIdx.x, (p.m + kTile - 1) / kTile, (p.n + kTile - 1) / kTile, tile_row, tile_column);
  const std::int64_t first_row = tile_row * kTile;
  const std::int64_t first_column = tile_column * kTile;

  // Warps 2 x 2, each 32 x 32 of the tile; in a warp 4 threads along rows, 8 along columns.
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int row0 = warp / 2 * 32 + lane / 8 * 2;
  const int column0 = warp % 2 * 32 + lane % 8 * 2;

  double sum[kRows][kColumns] = {};
  float products[kRows][kColumns] = {};
  float a_held[kLoads];
  float b_held[kLoads];
  const bool b_along_k = p.b_k_stride == 1;

  for (std::int64_t k = 0; k < p.k; k += kStep) {
    Fetch(p.a, p.element, first_row, p.m, k, p.k, p.a_row_stride, 1, p.a_scales,
          a_held);
    Fetch(p.b, p.element, first_column, p.n, k, p.k, p.b_column_stride, p.b_k_stride, p.b_scales,
          b_held);
    if (k > 0) __syncthreads();  // the last step has been used up
    Put(a_slab, true, a_held);
    Put(b_slab, b_along_k, b_held);
    __syncthreads();
#pragma unroll 2
    for (int depth = 0; depth < kStep; ++depth) {
      double a[kRows];
      double b[kColumns];
      float a_abs[kRows];
      float b_abs[kColumns];
#pragma unroll
      for (int i = 0; i < kRows; i += 2) {
        const int line = row0 + i * 4;
        const double2 exact = *reinterpret_cast<const double2*>(&a_slab.exact[depth][line]);
        const float2 magnitude = *reinterpret_cast<const float2*>(&a_slab.magnitude[depth][line]);
        a[i] = exact.x;
        a[i + 1] = exact.y;
        a_abs[i] = magnitude.x;
        a_abs[i + 1] = magnitude.y;
      }
#pragma unroll
      for (int j = 0; j < kColumns; j += 2) {
        const int line = column0 + j * 8;
        const double2 exact = *reinterpret_cast<const double2*>(&b_slab.exact[depth][line]);
        const float2 magnitude = *reinterpret_cast<const float2*>(&b_slab.magnitude[depth][line]);
        b[j] = exact.x;
        b[j + 1] = exact.y;
        b_abs[j] = magnitude.x;
        b_abs[j + 1] = magnitude.y;
      }
#pragma unroll
      for (int i = 0; i < kRows; ++i) {
#pragma unroll
        for (int j = 0; j < kColumns; ++j) {
          sum[i][j] = fma(a[i], b[j], sum[i][j]);
          products[i][j] = fmaf(a_abs[i], b_abs[j], products[i][j]);
        }
      }
    }
  }

#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const std::int64_t row = first_row + row0 + i / 2 * 8 + i % 2;
#pragma unroll
    for (int j = 0; j < kColumns; ++j) {
      const std::int64_t column = first_column + column0 + j / 2 * 16 + j % 2;
      if (row >= p.m || column >= p.n) continue;
      const std::int64_t place = row * p.n + column;
      reinterpret_cast<double*>(p.reference)[place] = sum[i][j];
      reinterpret_cast<float*>(p.products)[place] = products[i][j];
    }
  }
}
