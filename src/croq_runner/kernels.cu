// The runner's own kernels: inputs, references, checks. Not timed, so kept plain; the reference
// alone is built for speed. kernels.ptx beside this file is what is shipped: the target
// regenerate-ptx makes it. The two .cuh files are parts of this one.
#include "croq_runner/kernel_elements.cuh"
#include "croq_runner/kernel_reference.cuh"

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
