// Part of kernels.cu: outputs held against their references. A thread looks at every GridThreads()-th
// element, a block joins its threads' shares and writes one; the host joins the blocks'.
#pragma once

#include "croq_runner/draw.h"
#include "croq_runner/kernel_elements.cuh"

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

/// Takes one element into account that may be off by `bound`.
__device__ __forceinline__ void Look(CompareShare& share, std::uint64_t index, double got,
                                     double reference, double bound) {
  double ratio = kNonFiniteRatio;
  if (isnan(got)) {
    ++share.nan_count;
  } else if (isinf(got)) {
    ++share.inf_count;
  } else {
    const double error = fabs(got - reference);
    share.max_abs_err = fmax(share.max_abs_err, error);
    // A bound of zero (products of zero, integers): then only the exact result will do.
    ratio = bound > 0 ? error / bound : (error > 0 ? kNonFiniteRatio : 0.0);
  }
  if (ratio > 1) ++share.over_bound;
  if (ratio > share.worst_ratio) {
    share.worst_ratio = ratio;
    share.worst_index = index;
  }
}

__device__ __forceinline__ void Begin(CompareShare& share) {
  share.worst_ratio = -1;  // so that the first element of all sets worst_index
  share.worst_index = ~0ull;
}

__device__ __forceinline__ void AddHash(CompareShare& share, std::uint64_t index,
                                        std::uint64_t bits) {
  const HashPair hash = HashElement(index, bits);
  share.hash.low += hash.low;
  share.hash.high += hash.high;
}

/// Joins the shares of the block's threads and writes the block's.
__device__ __forceinline__ void Publish(const CompareShare& share, std::uint64_t target) {
  __shared__ CompareShare shares[kBlockThreads];
  shares[threadIdx.x] = share;
  __syncthreads();
  for (int width = kBlockThreads / 2; width > 0; width /= 2) {
    if (static_cast<int>(threadIdx.x) < width) {
      Join(shares[threadIdx.x], shares[threadIdx.x + width]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) reinterpret_cast<CompareShare*>(target)[blockIdx.x] = shares[0];
}

/// One element of a floating type as double; exact.
__device__ __forceinline__ double RealOf(std::uint64_t bits, Element element) {
  switch (element) {
    case Element::kF16:
      return static_cast<double>(__half2float(__ushort_as_half(static_cast<unsigned short>(bits))));
    case Element::kBf16:
      return static_cast<double>(__uint_as_float(static_cast<unsigned>(bits) << 16));
    case Element::kF32:
      return static_cast<double>(__uint_as_float(static_cast<unsigned>(bits)));
    case Element::kF64:
      return __longlong_as_double(static_cast<long long>(bits));
    default:
      return Float8Value(static_cast<unsigned>(bits), element);
  }
}

/// One element of another type, sign-extended where it has one.
__device__ __forceinline__ std::int64_t IntegerOf(std::uint64_t bits, Element element) {
  switch (element) {
    case Element::kI8:
      return static_cast<std::int8_t>(bits);
    case Element::kI16:
      return static_cast<std::int16_t>(bits);
    case Element::kI32:
      return static_cast<std::int32_t>(bits);
    default:
      return static_cast<std::int64_t>(bits);
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(kBlockThreads) croq_compare(CompareParams p) {
  CompareShare share{};
  Begin(share);
  const auto* reference = reinterpret_cast<const double*>(p.reference);
  const auto* products = reinterpret_cast<const float*>(p.products);
  for (std::uint64_t i = GlobalThread(); i < p.count; i += GridThreads()) {
    AddHash(share, i, LoadBits(p.output, i, p.element));
    const double bound = ErrorBound(reference[i], static_cast<double>(products[i]), p.terms);
    Look(share, i, static_cast<double>(Load(p.output, i, p.element)), reference[i], bound);
  }
  Publish(share, p.shares);
}

extern "C" __global__ void __launch_bounds__(kBlockThreads) croq_check(CheckParams p) {
  CompareShare share{};
  Begin(share);
  const auto* scales = reinterpret_cast<const float*>(p.scales);
  const bool real = IsReal(p.element);
  for (std::uint64_t i = GlobalThread(); i < p.count; i += GridThreads()) {
    const std::uint64_t bits = LoadBits(p.output, i, p.element);
    AddHash(share, i, bits);
    if (real) {
      const double reference = static_cast<double>(reinterpret_cast<const float*>(p.reference)[i]);
      const double bound = p.on_reference * fabs(reference) +
                           p.on_scale * static_cast<double>(scales[i / p.columns]) + p.absolute;
      Look(share, i, RealOf(bits, p.element), reference, bound);
    } else {
      const std::int64_t got = IntegerOf(bits, p.element);
      const std::int64_t reference = IntegerOf(LoadBits(p.reference, i, p.element), p.element);
      // Far apart or not, and whatever a double holds of them: unequal is unequal.
      const double error = fabs(static_cast<double>(got) - static_cast<double>(reference));
      Look(share, i, got == reference ? 0.0 : fmax(error, 1.0), 0.0, 0.0);
    }
  }
  Publish(share, p.shares);
}
