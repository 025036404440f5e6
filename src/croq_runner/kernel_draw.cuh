// Part of kernels.cu: the inputs of a brought problem.
#pragma once

#include "croq_runner/draw.h"
#include "croq_runner/kernel_elements.cuh"

namespace {

__device__ __forceinline__ void StoreDrawn(const DrawParams& p, std::uint64_t index, double value) {
  switch (p.element) {
    case Element::kF16:
    case Element::kBf16:
    case Element::kF32:
      Store(p.target, index, p.element, static_cast<float>(value));
      return;
    case Element::kF64:
      reinterpret_cast<double*>(p.target)[index] = value;
      return;
    case Element::kF8E4:
    case Element::kF8E5:
      reinterpret_cast<unsigned char*>(p.target)[index] = Float8Bits(value, p.element);
      return;
    case Element::kBool:
      reinterpret_cast<unsigned char*>(p.target)[index] =
          WholeNumber(value, Draw::kNormal, p.element) != 0;
      return;
    default:
      break;
  }
  const std::int64_t whole = WholeNumber(value, p.draw, p.element);
  switch (SizeOf(p.element)) {
    case 8:
      reinterpret_cast<std::int64_t*>(p.target)[index] = whole;
      return;
    case 4:
      reinterpret_cast<std::int32_t*>(p.target)[index] = static_cast<std::int32_t>(whole);
      return;
    case 2:
      reinterpret_cast<std::int16_t*>(p.target)[index] = static_cast<std::int16_t>(whole);
      return;
    default:
      reinterpret_cast<unsigned char*>(p.target)[index] = static_cast<unsigned char>(whole);
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kBlockThreads) croq_draw(DrawParams p) {
  const auto key0 = static_cast<std::uint32_t>(p.seed);
  const auto key1 = static_cast<std::uint32_t>(p.seed >> 32);
  const std::uint64_t pairs = (p.count + 1) / 2;
  for (std::uint64_t pair = GlobalThread(); pair < pairs; pair += GridThreads()) {
    const PhiloxWords words = Philox(InputCounter(pair, p.stream), key0, key1);
    const std::uint64_t even = 2 * pair;
    StoreDrawn(p, even, DrawnValue(p, even, words.word[0], words.word[1]));
    if (even + 1 == p.count) break;
    StoreDrawn(p, even + 1, DrawnValue(p, even + 1, words.word[2], words.word[3]));
  }
}
