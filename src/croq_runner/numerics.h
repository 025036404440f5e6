#pragma once

#include <cstdint>

/// Arithmetic that host and device must agree on to the last bit: the generator of the inputs, the
/// error bound, the hash. Included by kernels.cu (nvcc, C++17) and by the host code.
#ifdef __CUDACC__
#define CROQ_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define CROQ_HOST_DEVICE inline
#endif

namespace croq::runner {

/// Four 32-bit words of random bits.
struct PhiloxWords {
  std::uint32_t word[4];
};

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC11):
/// a pure function of counter and key, so element i needs no state and no order.
CROQ_HOST_DEVICE PhiloxWords Philox(PhiloxWords counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = static_cast<std::uint64_t>(0xD2511F53u) * counter.word[0];
    const std::uint64_t product1 = static_cast<std::uint64_t>(0xCD9E8D57u) * counter.word[2];
    const auto high0 = static_cast<std::uint32_t>(product0 >> 32);
    const auto high1 = static_cast<std::uint32_t>(product1 >> 32);
    counter = PhiloxWords{{high1 ^ counter.word[1] ^ key0, static_cast<std::uint32_t>(product1),
                           high0 ^ counter.word[3] ^ key1, static_cast<std::uint32_t>(product0)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

/// The counter of elements 2 * pair and 2 * pair + 1 of one stream.
CROQ_HOST_DEVICE PhiloxWords InputCounter(std::uint64_t pair, std::uint32_t stream) {
  return PhiloxWords{{static_cast<std::uint32_t>(pair), static_cast<std::uint32_t>(pair >> 32),
                      stream, 0x43524F51u}};
}

/// A sum of four independent 16-bit uniforms, centred: an integer in [-131070, 131070] whose
/// distribution is close to normal (Irwin-Hall of order 4: kurtosis 2.7, no value beyond 3.46
/// standard deviations). It needs no logarithm or cosine, whose last bits differ between devices.
CROQ_HOST_DEVICE std::int32_t CentredSum(std::uint32_t low, std::uint32_t high) {
  const std::uint32_t sum = (low & 0xFFFFu) + (low >> 16) + (high & 0xFFFFu) + (high >> 16);
  return static_cast<std::int32_t>(sum) - 131070;
}

/// Standard deviation of CentredSum: sqrt(4 * (65536^2 - 1) / 12).
constexpr double kCentredSumDeviation = 37837.22703145605;

/// Coefficients of the largest error allowed of one output element:
///   |c - ref| <= on_reference * |ref| + on_products * P + absolute,  P = sum over k of |a_k b_k|.
/// See bound.h for where they come from.
struct BoundTerms {
  double on_reference;
  double on_products;
  double absolute;
};

CROQ_HOST_DEVICE double ErrorBound(double reference, double products, const BoundTerms& terms) {
  const double magnitude = reference < 0 ? -reference : reference;
  return terms.on_reference * magnitude + terms.on_products * products + terms.absolute;
}

/// splitmix64's finaliser: a bijection that spreads every input bit.
CROQ_HOST_DEVICE std::uint64_t Mix(std::uint64_t value) {
  value ^= value >> 30;
  value *= 0xBF58476D1CE4E5B9ull;
  value ^= value >> 27;
  value *= 0x94D049BB133111EBull;
  return value ^ (value >> 31);
}

/// 128 bits added up over elements: the sum does not depend on the order, a swap of two different
/// elements changes it. For telling outputs apart, not against an adversary.
struct HashPair {
  std::uint64_t low;
  std::uint64_t high;
};

CROQ_HOST_DEVICE HashPair HashElement(std::uint64_t index, std::uint64_t bits) {
  const std::uint64_t place = Mix(index + 0x9E3779B97F4A7C15ull);
  const std::uint64_t other = (bits ^ 0xD1B54A32D192ED03ull) * 0x9FB21C651E98DF25ull;
  return HashPair{Mix(bits + place), Mix(other + place)};
}

}  // namespace croq::runner
