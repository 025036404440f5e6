// The runner's own kernels: inputs, references, checks. Not timed, so kept plain; croq_reference
// alone is built for speed (fp64 at 16384^3 must take about a second). kernels.ptx beside this file
// is what is shipped: target regenerate-ptx makes it.
#include <cuda_fp16.h>

#include <cstdint>

#include "croq_runner/kernel_params.h"
#include "croq_runner/numerics.h"

using namespace croq::runner;

namespace {

/// One element as float; exact for every storage type.
__device__ __forceinline__ float Load(std::uint64_t base, std::uint64_t index, Element element) {
  if (element == Element::kF32) return reinterpret_cast<const float*>(base)[index];
  const unsigned short bits = reinterpret_cast<const unsigned short*>(base)[index];
  if (element == Element::kF16) return __half2float(__ushort_as_half(bits));
  return __uint_as_float(static_cast<unsigned>(bits) << 16);
}

/// Round to nearest even; `value` is finite.
__device__ __forceinline__ void Store(std::uint64_t base, std::uint64_t index, Element element,
                                      float value) {
  if (element == Element::kF32) {
    reinterpret_cast<float*>(base)[index] = value;
  } else if (element == Element::kF16) {
    reinterpret_cast<unsigned short*>(base)[index] = __half_as_ushort(__float2half_rn(value));
  } else {
    const unsigned bits = __float_as_uint(value);
    reinterpret_cast<unsigned short*>(base)[index] =
        static_cast<unsigned short>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
  }
}

__device__ __forceinline__ std::uint64_t GlobalThread() {
  return static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ __forceinline__ std::uint64_t GridThreads() {
  return static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kBlockThreads) croq_fill(FillParams p) {
  const auto key0 = static_cast<std::uint32_t>(p.seed);
  const auto key1 = static_cast<std::uint32_t>(p.seed >> 32);
  const std::uint64_t pairs = (p.count + 1) / 2;
  for (std::uint64_t pair = GlobalThread(); pair < pairs; pair += GridThreads()) {
    const PhiloxWords words = Philox(InputCounter(pair, p.stream), key0, key1);
    // Below 2^24, so the conversion is exact and the product is rounded once, as on the host.
    const float even = static_cast<float>(CentredSum(words.word[0], words.word[1]));
    Store(p.target, 2 * pair, p.element, __fmul_rn(even, p.scale));
    if (2 * pair + 1 == p.count) break;
    const float odd = static_cast<float>(CentredSum(words.word[2], words.word[3]));
    Store(p.target, 2 * pair + 1, p.element, __fmul_rn(odd, p.scale));
  }
}

// ---- reference ----------------------------------------------------------------------------------
//
// A block makes a 64 x 64 tile of c, its 128 threads 8 x 4 elements each. A step takes 16 of k
// through shared memory, where every element lies twice: as double for the sum, as float for the
// sum of absolute values. Conversions to double are slow (16 a clock and SM), so they are done once
// a tile element here and not once a use. Next to 32 DFMA (two issue slots each) go 32 FFMA and 12
// shared loads, so the fp64 pipe stays the bottleneck on a data-centre GPU.

namespace {

constexpr int kTile = kReferenceTile;
constexpr int kStep = 16;
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
                                      float (&held)[kLoads]) {
#pragma unroll
  for (int load = 0; load < kLoads; ++load) {
    const TilePlace place = PlaceOf(load, k_stride == 1);
    const std::int64_t line = first_line + place.line;
    const std::int64_t depth = first_k + place.depth;
    held[load] = line < lines && depth < k
                     ? Load(base, static_cast<std::uint64_t>(line * line_stride + depth * k_stride),
                            element)
                     : 0.0f;
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
    Fetch(p.a, p.element, first_row, p.m, k, p.k, p.a_row_stride, 1, a_held);
    Fetch(p.b, p.element, first_column, p.n, k, p.k, p.b_column_stride, p.b_k_stride, b_held);
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

// ---- checks -------------------------------------------------------------------------------------

namespace {

__device__ __forceinline__ void Join(CompareShare& into, const CompareShare& other) {
  into.nan_count += other.nan_count;
  into.inf_count += other.inf_count;
  into.over_bound += other.over_bound;
  into.hash.low += other.hash.low;
  into.hash.high += other.hash.high;
  into.max_abs_err = fmax(into.max_abs_err, other.max_abs_err);
  if (other.worst_ratio > into.worst_ratio ||
      (other.worst_ratio == into.worst_ratio && other.worst_index < into.worst_index)) {
    into.worst_ratio = other.worst_ratio;
    into.worst_index = other.worst_index;
  }
}

__device__ __forceinline__ void Look(CompareShare& share, std::uint64_t index, float got,
                                     double reference, double products, const BoundTerms& terms) {
  double ratio = kNonFiniteRatio;
  if (isnan(got)) {
    ++share.nan_count;
  } else if (isinf(got)) {
    ++share.inf_count;
  } else {
    const double error = fabs(static_cast<double>(got) - reference);
    const double bound = ErrorBound(reference, products, terms);
    share.max_abs_err = fmax(share.max_abs_err, error);
    // Products of zero leave no bound: then only the exact result will do.
    ratio = bound > 0 ? error / bound : (error > 0 ? kNonFiniteRatio : 0.0);
  }
  if (ratio > 1) ++share.over_bound;
  if (ratio > share.worst_ratio) {
    share.worst_ratio = ratio;
    share.worst_index = index;
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kBlockThreads) croq_compare(CompareParams p) {
  CompareShare share{};
  share.worst_ratio = -1;  // so that the first element of all sets worst_index
  share.worst_index = ~0ull;
  const auto* reference = reinterpret_cast<const double*>(p.reference);
  const auto* products = reinterpret_cast<const float*>(p.products);
  for (std::uint64_t i = GlobalThread(); i < p.count; i += GridThreads()) {
    const std::uint64_t bits =
        p.element == Element::kF32 ? reinterpret_cast<const std::uint32_t*>(p.output)[i]
                                   : reinterpret_cast<const unsigned short*>(p.output)[i];
    const HashPair hash = HashElement(i, bits);
    share.hash.low += hash.low;
    share.hash.high += hash.high;
    Look(share, i, Load(p.output, i, p.element), reference[i], static_cast<double>(products[i]),
         p.terms);
  }
  __shared__ CompareShare shares[kBlockThreads];
  shares[threadIdx.x] = share;
  __syncthreads();
  for (int width = kBlockThreads / 2; width > 0; width /= 2) {
    if (static_cast<int>(threadIdx.x) < width) {
      Join(shares[threadIdx.x], shares[threadIdx.x + width]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) reinterpret_cast<CompareShare*>(p.shares)[blockIdx.x] = shares[0];
}

extern "C" __global__ void __launch_bounds__(kBlockThreads) croq_hash(HashParams p) {
  HashPair sum{0, 0};
  const std::uint64_t words = p.bytes / 8;
  const auto* data = reinterpret_cast<const std::uint64_t*>(p.data);
  for (std::uint64_t i = GlobalThread(); i < words; i += GridThreads()) {
    const HashPair hash = HashElement(i, data[i]);
    sum.low += hash.low;
    sum.high += hash.high;
  }
  if (GlobalThread() == 0 && p.bytes % 8 != 0) {
    std::uint64_t tail = 0;
    const auto* bytes = reinterpret_cast<const unsigned char*>(p.data);
    for (std::uint64_t i = words * 8; i < p.bytes; ++i) {
      tail = (tail << 8) | bytes[i];
    }
    const HashPair hash = HashElement(words, tail);
    sum.low += hash.low;
    sum.high += hash.high;
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    sum.low += __shfl_down_sync(0xFFFFFFFFu, sum.low, offset);
    sum.high += __shfl_down_sync(0xFFFFFFFFu, sum.high, offset);
  }
  if (threadIdx.x % 32 == 0) {
    auto* target = reinterpret_cast<unsigned long long*>(p.sum);
    atomicAdd(target, static_cast<unsigned long long>(sum.low));
    atomicAdd(target + 1, static_cast<unsigned long long>(sum.high));
  }
}

extern "C" __global__ void __launch_bounds__(kBlockThreads) croq_guard(GuardParams p) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(p.data);
  unsigned long long changed = 0;
  for (std::uint64_t i = GlobalThread(); i < p.bytes; i += GridThreads()) {
    changed += bytes[i] != (p.pattern & 0xFFu);
  }
  if (changed != 0) atomicAdd(reinterpret_cast<unsigned long long*>(p.changed), changed);
}
