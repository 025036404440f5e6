#pragma once

#include <cstdint>

#include "croq_runner/numerics.h"

/// The parameter blocks of the kernels in kernels.cu, one struct a kernel, passed by value. Shared
/// by nvcc and the host compiler, so only fixed-width members in order of size; device pointers are
/// 64-bit integers.
namespace croq::runner {

/// Storage of one element. Matmuls use the first three and kF8E4.
enum class Element : std::int32_t {
  kF16 = 0, kBf16 = 1, kF32 = 2, kF64 = 3, kF8E4 = 4, kF8E5 = 5,
  kI8 = 6, kI16 = 7, kI32 = 8, kI64 = 9, kU8 = 10, kBool = 11
};

CROQ_HOST_DEVICE bool IsReal(Element element) { return element <= Element::kF8E5; }

/// Bytes of one element.
CROQ_HOST_DEVICE int SizeOf(Element element) {
  switch (element) {
    case Element::kF64:
    case Element::kI64:
      return 8;
    case Element::kF32:
    case Element::kI32:
      return 4;
    case Element::kF16:
    case Element::kBf16:
    case Element::kI16:
      return 2;
    default:
      return 1;
  }
}

/// The distributions of croq/model/problem.h.
enum class Draw : std::int32_t { kNormal = 0, kUniform = 1, kInteger = 2, kConstant = 3, kArange = 4 };

/// croq_fill: `count` elements at `target`, element i from Philox at counter i / 2.
struct FillParams {
  std::uint64_t target;
  std::uint64_t count;
  std::uint64_t seed;       ///< Philox key
  std::uint32_t stream;     ///< one value an operand and set
  float scale;              ///< multiplies CentredSum
  Element element;
  std::int32_t unused;
};

/// croq_draw: `count` elements of a brought problem's tensor; element i from Philox at counter i / 2.
struct DrawParams {
  std::uint64_t target;
  std::uint64_t count;
  std::uint64_t seed;       ///< Philox key
  double first;             ///< of the distribution
  double second;
  std::uint32_t stream;     ///< one value a tensor and set
  Draw draw;
  Element element;
  std::int32_t unused;
};

/// The float32 scales of one operand, [lines / block_lines, k / block_depth] rounded up, row-major.
struct ScaleParams {
  std::uint64_t scales;     ///< 0: none
  std::int32_t block_lines;
  std::int32_t block_depth; ///< a multiple of kReferenceStep, or all of k
  std::int32_t steps;       ///< scales in a row
  std::int32_t unused;
};

/// croq_reference: reference[m, n] = sum a[m, k] b(k, n) in fp64; products[m, n] the same of
/// absolute values in fp32. Strides in elements; one of each operand's two strides is 1. An element
/// times its scale must be exact in float32.
struct ReferenceParams {
  std::uint64_t a;
  std::uint64_t b;
  std::uint64_t reference;  ///< double [m, n]
  std::uint64_t products;   ///< float [m, n]
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
  std::int64_t a_row_stride;
  std::int64_t b_k_stride;
  std::int64_t b_column_stride;
  ScaleParams a_scales;     ///< lines are rows of a
  ScaleParams b_scales;     ///< lines are columns of b
  Element element;
  std::int32_t unused;
};

/// croq_dequantise: target[line, depth] = source[line, depth] times its scale, rounded to f16.
struct DequantiseParams {
  std::uint64_t source;     ///< kF8E4 [lines, depth]
  std::uint64_t target;     ///< kF16
  std::uint64_t count;
  std::int64_t depth;
  ScaleParams scales;
};

/// One block's share of a comparison; the host adds them up.
struct CompareShare {
  std::uint64_t nan_count;
  std::uint64_t inf_count;
  std::uint64_t over_bound;
  HashPair hash;
  double max_abs_err;       ///< of finite elements
  double worst_ratio;       ///< error over bound; kNonFiniteRatio where an element is not finite
  std::uint64_t worst_index;  ///< of worst_ratio; the lowest where several are equal
};

/// Stands for the ratio of a NaN or an infinity: larger than any real one and fit for JSON.
constexpr double kNonFiniteRatio = 1e30;

/// croq_compare: writes one CompareShare a block.
struct CompareParams {
  std::uint64_t output;     ///< the candidate's c
  std::uint64_t reference;
  std::uint64_t products;
  std::uint64_t shares;     ///< CompareShare [grid]
  std::uint64_t count;
  BoundTerms terms;
  Element element;
  std::int32_t unused;
};

/// croq_check: as croq_compare for a tensor of a brought problem. Of a real type: within
///   on_reference |reference| + on_scale scales[i / columns] + absolute,
/// the reference float. Of another type: equal, the reference of the same type.
struct CheckParams {
  std::uint64_t output;
  std::uint64_t reference;
  std::uint64_t scales;     ///< float [count / columns], 0 for integers
  std::uint64_t shares;     ///< CompareShare [grid]
  std::uint64_t count;
  std::uint64_t columns;
  double on_reference;
  double on_scale;
  double absolute;
  Element element;
  std::int32_t unused;
};

/// croq_hash: adds the hash of `bytes` bytes into the HashPair at `sum`, which starts at zero.
struct HashParams {
  std::uint64_t data;
  std::uint64_t bytes;
  std::uint64_t sum;
};

/// croq_guard: adds the number of bytes of data that differ from `pattern` to the count.
struct GuardParams {
  std::uint64_t data;
  std::uint64_t bytes;
  std::uint64_t changed;    ///< uint64, starts at zero
  std::uint32_t pattern;    ///< lowest byte
  std::int32_t unused;
};

constexpr int kBlockThreads = 256;      ///< of every kernel but croq_reference
constexpr int kReferenceThreads = 128;  ///< of croq_reference
constexpr int kReferenceStep = 16;      ///< of k that it takes at a time
constexpr int kReferenceTile = 64;      ///< rows and columns of c a block of croq_reference makes

}  // namespace croq::runner
