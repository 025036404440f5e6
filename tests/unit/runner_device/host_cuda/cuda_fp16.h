#pragma once

// Stands in for CUDA where kernels.cu is compiled by the host compiler (kernels_on_host_test.cc):
// the qualifiers, built-in variables and intrinsics that the kernels use, for one block at a time
// with a thread of the operating system for each of its threads.
#include <math.h>

#include <barrier>
#include <bit>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "support/half_bits.h"

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(threads)
#define __shared__ static
#define __align__(bytes) __attribute__((aligned(bytes)))

struct Dim3 {
  unsigned x = 1;
};
struct double2 {
  double x;
  double y;
};
struct float2 {
  float x;
  float y;
};

inline thread_local Dim3 threadIdx;
inline thread_local Dim3 blockIdx;
inline Dim3 blockDim;
inline Dim3 gridDim;
inline std::barrier<>* host_block_barrier = nullptr;
inline std::uint64_t host_shuffle[1024];

inline void __syncthreads() { host_block_barrier->arrive_and_wait(); }

/// Right only where all threads of the block take part, as in the kernels here.
inline std::uint64_t __shfl_down_sync(unsigned, std::uint64_t value, int offset) {
  host_shuffle[threadIdx.x] = value;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  const unsigned from = lane + static_cast<unsigned>(offset) < 32
                            ? threadIdx.x + static_cast<unsigned>(offset)
                            : threadIdx.x;
  const std::uint64_t other = host_shuffle[from];
  __syncthreads();
  return other;
}

inline unsigned long long atomicAdd(unsigned long long* target, unsigned long long value) {
  return __atomic_fetch_add(target, value, __ATOMIC_RELAXED);
}

inline float __fmul_rn(float a, float b) { return a * b; }
inline double __longlong_as_double(long long bits) { return std::bit_cast<double>(bits); }
inline float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
inline unsigned __float_as_uint(float value) { return std::bit_cast<unsigned>(value); }
inline unsigned short __ushort_as_half(unsigned short bits) { return bits; }
inline unsigned short __half_as_ushort(unsigned short bits) { return bits; }
inline float __half2float(unsigned short bits) { return croq::testing::FloatFromHalf(bits); }
inline unsigned short __float2half_rn(float value) { return croq::testing::HalfFromFloat(value); }

/// Runs kernel(params) for `blocks` blocks of `threads`.
template <typename Params>
void RunOnHost(void (*kernel)(Params), const Params& params, unsigned blocks, unsigned threads) {
  std::barrier<> barrier(threads);
  host_block_barrier = &barrier;
  blockDim.x = threads;
  gridDim.x = blocks;
  std::vector<std::thread> crew;
  for (unsigned t = 0; t < threads; ++t) {
    crew.emplace_back([&, t] {
      threadIdx.x = t;
      for (unsigned block = 0; block < blocks; ++block) {
        blockIdx.x = block;
        kernel(params);
        barrier.arrive_and_wait();
      }
    });
  }
  for (std::thread& one : crew) one.join();
}
