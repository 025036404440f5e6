// Part of kernels.cu: elements of every storage type, and where a thread stands in the grid.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

#include "croq_runner/draw.h"
#include "croq_runner/kernel_params.h"
#include "croq_runner/numerics.h"

using namespace croq::runner;

namespace {

/// One element of a matmul's as float; exact.
__device__ __forceinline__ float Load(std::uint64_t base, std::uint64_t index, Element element) {
  if (element == Element::kF32) return reinterpret_cast<const float*>(base)[index];
  if (element == Element::kF8E4) {
    // e4m3 moved into float's fields is the value times 2^-120, subnormals included.
    const unsigned byte = reinterpret_cast<const unsigned char*>(base)[index];
    return __uint_as_float((byte & 0x80u) << 24 | (byte & 0x7Fu) << 20) * 0x1p120f;
  }
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
  } else if (element == Element::kF8E4) {
    reinterpret_cast<unsigned char*>(base)[index] =
        Float8Bits(static_cast<double>(value), Element::kF8E4);
  } else {
    const unsigned bits = __float_as_uint(value);
    reinterpret_cast<unsigned short*>(base)[index] =
        static_cast<unsigned short>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
  }
}

/// The scale of the element at (line, depth); 1 where there are none.
__device__ __forceinline__ float ScaleOf(const ScaleParams& p, std::int64_t line,
                                         std::int64_t depth) {
  if (p.scales == 0) return 1.0f;
  const std::int64_t row = static_cast<std::uint32_t>(line) / static_cast<std::uint32_t>(p.block_lines);
  const std::int64_t step =
      static_cast<std::uint32_t>(depth) / static_cast<std::uint32_t>(p.block_depth);
  return reinterpret_cast<const float*>(p.scales)[row * p.steps + step];
}

/// The bits of one element of any type, zero-extended.
__device__ __forceinline__ std::uint64_t LoadBits(std::uint64_t base, std::uint64_t index,
                                                  Element element) {
  switch (SizeOf(element)) {
    case 8:
      return reinterpret_cast<const std::uint64_t*>(base)[index];
    case 4:
      return reinterpret_cast<const std::uint32_t*>(base)[index];
    case 2:
      return reinterpret_cast<const unsigned short*>(base)[index];
    default:
      return reinterpret_cast<const unsigned char*>(base)[index];
  }
}

__device__ __forceinline__ std::uint64_t GlobalThread() {
  return static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ __forceinline__ std::uint64_t GridThreads() {
  return static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
}

}  // namespace
