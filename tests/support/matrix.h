#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "croq_runner/draw.h"
#include "croq_runner/kernel_params.h"
#include "support/half_bits.h"

/// Matrices as bytes in a storage type, and the plain host versions of what the kernels do.
namespace croq::testing {

inline std::size_t BytesOf(runner::Element element) {
  return static_cast<std::size_t>(runner::SizeOf(element));
}

inline float LoadElement(const std::vector<unsigned char>& bytes, std::int64_t index,
                         runner::Element element) {
  if (element == runner::Element::kF32) {
    float value = 0;
    std::memcpy(&value, bytes.data() + index * 4, 4);
    return value;
  }
  if (element == runner::Element::kF8E4) {
    return static_cast<float>(
        runner::Float8Value(bytes[static_cast<std::size_t>(index)], element));
  }
  std::uint16_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * 2, 2);
  return element == runner::Element::kF16 ? FloatFromHalf(bits) : FloatFromBf16(bits);
}

inline void StoreElement(std::vector<unsigned char>* bytes, std::int64_t index,
                         runner::Element element, float value) {
  if (element == runner::Element::kF32) {
    std::memcpy(bytes->data() + index * 4, &value, 4);
    return;
  }
  if (element == runner::Element::kF8E4) {
    (*bytes)[static_cast<std::size_t>(index)] =
        runner::Float8Bits(static_cast<double>(value), element);
    return;
  }
  const std::uint16_t bits =
      element == runner::Element::kF16 ? HalfFromFloat(value) : Bf16FromFloat(value);
  std::memcpy(bytes->data() + index * 2, &bits, 2);
}

/// What croq_fill must write, to the bit.
inline std::vector<unsigned char> HostFill(const runner::FillParams& p) {
  std::vector<unsigned char> bytes(p.count * BytesOf(p.element));
  for (std::uint64_t i = 0; i < p.count; ++i) {
    const runner::PhiloxWords w =
        runner::Philox(runner::InputCounter(i / 2, p.stream), static_cast<std::uint32_t>(p.seed),
                       static_cast<std::uint32_t>(p.seed >> 32));
    const int at = i % 2 == 0 ? 0 : 2;
    const auto sum = static_cast<float>(runner::CentredSum(w.word[at], w.word[at + 1]));
    StoreElement(&bytes, static_cast<std::int64_t>(i), p.element, sum * p.scale);
  }
  return bytes;
}

/// What croq_reference must write, up to the order of the sums.
struct HostReference {
  std::vector<double> values;
  std::vector<double> products;
};

inline HostReference MultiplyOnHost(const std::vector<unsigned char>& a,
                                    const std::vector<unsigned char>& b,
                                    const runner::ReferenceParams& p) {
  HostReference result;
  for (std::int64_t row = 0; row < p.m; ++row) {
    for (std::int64_t column = 0; column < p.n; ++column) {
      double sum = 0;
      double products = 0;
      for (std::int64_t k = 0; k < p.k; ++k) {
        const double product =
            static_cast<double>(LoadElement(a, row * p.a_row_stride + k, p.element)) *
            static_cast<double>(
                LoadElement(b, k * p.b_k_stride + column * p.b_column_stride, p.element));
        sum += product;
        products += std::fabs(product);
      }
      result.values.push_back(sum);
      result.products.push_back(products);
    }
  }
  return result;
}

}  // namespace croq::testing
