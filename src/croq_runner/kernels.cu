// The runner's own kernels: inputs, references, checks. Not timed, so kept plain; the reference
// alone is built for speed. kernels.ptx beside this file is what is shipped: the target
// regenerate-ptx makes it. The .cuh files are parts of this one.
#include "croq_runner/kernel_check.cuh"
#include "croq_runner/kernel_draw.cuh"
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

extern "C" __global__ void __launch_bounds__(kBlockThreads) croq_dequantise(DequantiseParams p) {
  for (std::uint64_t i = GlobalThread(); i < p.count; i += GridThreads()) {
    const auto depth = static_cast<std::uint64_t>(p.depth);
    const float scale = ScaleOf(p.scales, static_cast<std::int64_t>(i / depth),
                                static_cast<std::int64_t>(i % depth));
    Store(p.target, i, Element::kF16, __fmul_rn(Load(p.source, i, Element::kF8E4), scale));
  }
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
