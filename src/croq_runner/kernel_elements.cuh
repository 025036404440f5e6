// Part of kernels.cu: elements of every storage type, and where a thread stands in the grid.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

#include "croq_runner/kernel_params.h"
#include "croq_runner/numerics.h"

using namespace croq::runner;

namespace {

/// One element of a matmul's as float; exact.
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
