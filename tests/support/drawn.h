#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "croq_runner/draw.h"
#include "support/half_bits.h"

/// What croq_draw must write, to the bit.
namespace croq::testing {

template <typename T>
void PutAs(std::vector<unsigned char>* bytes, std::uint64_t index, T value) {
  std::memcpy(bytes->data() + index * sizeof(T), &value, sizeof(T));
}

inline void PutDrawn(const runner::DrawParams& p, std::uint64_t i, double value,
                     std::vector<unsigned char>* bytes) {
  using runner::Element;
  const std::int64_t whole = runner::WholeNumber(value, p.draw, p.element);
  switch (p.element) {
    case Element::kF16:
      return PutAs(bytes, i, HalfFromFloat(static_cast<float>(value)));
    case Element::kBf16:
      return PutAs(bytes, i, Bf16FromFloat(static_cast<float>(value)));
    case Element::kF32:
      return PutAs(bytes, i, static_cast<float>(value));
    case Element::kF64:
      return PutAs(bytes, i, value);
    case Element::kF8E4:
    case Element::kF8E5:
      return PutAs(bytes, i, runner::Float8Bits(value, p.element));
    case Element::kI8:
      return PutAs(bytes, i, static_cast<std::int8_t>(whole));
    case Element::kI16:
      return PutAs(bytes, i, static_cast<std::int16_t>(whole));
    case Element::kI32:
      return PutAs(bytes, i, static_cast<std::int32_t>(whole));
    case Element::kI64:
      return PutAs(bytes, i, whole);
    case Element::kU8:
      return PutAs(bytes, i, static_cast<std::uint8_t>(whole));
    case Element::kBool:
      return PutAs(bytes, i,
                   static_cast<std::uint8_t>(
                       runner::WholeNumber(value, runner::Draw::kNormal, p.element) != 0));
  }
}

inline std::vector<double> DrawnValues(const runner::DrawParams& p) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < p.count; ++i) {
    const runner::PhiloxWords w =
        runner::Philox(runner::InputCounter(i / 2, p.stream), static_cast<std::uint32_t>(p.seed),
                       static_cast<std::uint32_t>(p.seed >> 32));
    const int at = i % 2 == 0 ? 0 : 2;
    values.push_back(runner::DrawnValue(p, i, w.word[at], w.word[at + 1]));
  }
  return values;
}

inline std::vector<unsigned char> HostDraw(const runner::DrawParams& p) {
  std::vector<unsigned char> bytes(p.count * static_cast<std::size_t>(runner::SizeOf(p.element)));
  const std::vector<double> values = DrawnValues(p);
  for (std::uint64_t i = 0; i < p.count; ++i) PutDrawn(p, i, values[i], &bytes);
  return bytes;
}

}  // namespace croq::testing
