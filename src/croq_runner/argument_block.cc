#include "croq_runner/argument_block.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "croq/base/check.h"

namespace croq::runner {
namespace {

struct IntegerType {
  std::string_view name;
  int bytes;
  bool is_signed;
};

constexpr IntegerType kIntegers[] = {
    {"i1", 1, false},  {"u1", 1, false}, {"i8", 1, true},   {"u8", 1, false}, {"i16", 2, true},
    {"u16", 2, false}, {"i32", 4, true}, {"u32", 4, false}, {"i64", 8, true}, {"u64", 8, false}};

bool Fits(const IntegerType& type, std::int64_t value) {
  if (type.name == "i1" || type.name == "u1")
    return value == 0 || value == 1;
  // A u64 above 2^63 travels as the signed number of the same bits.
  if (type.bytes == 8)
    return true;
  const int bits = 8 * type.bytes - (type.is_signed ? 1 : 0);
  const std::int64_t top = (std::int64_t{1} << bits) - 1;
  return value <= top && value >= (type.is_signed ? -top - 1 : 0);
}

}  // namespace

std::uint16_t HalfBits(double value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::fabs(value);
  if (std::isnan(value))
    return sign | 0x7e00;
  // 65520 is half way between the largest half and the next power of two: it rounds to infinity.
  if (magnitude >= 65520)
    return sign | 0x7c00;
  if (magnitude == 0)
    return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  // Below 2^-14 the spacing stays 2^-24 (subnormal); above, 11 significant bits.
  const int spacing = std::max(exponent - 11, -24);
  const double units = std::nearbyint(std::ldexp(magnitude, -spacing));
  const auto mantissa = static_cast<std::uint32_t>(units);
  // A carry out of the mantissa lands in the exponent field, which is what rounding up means.
  const std::uint32_t biased =
      spacing == -24 && mantissa < 0x400
          ? mantissa
          : (static_cast<std::uint32_t>(spacing + 25) << 10) + (mantissa - 0x400);
  return static_cast<std::uint16_t>(sign | biased);
}

Status ArgumentBlock::AddScalar(const ScalarArgument& scalar) {
  for (const IntegerType& type : kIntegers) {
    if (type.name != scalar.type)
      continue;
    if (!Fits(type, scalar.integer)) {
      return Failure(fmt::format("{} does not fit into {}", scalar.integer, scalar.type));
    }
    Add(&scalar.integer, static_cast<std::size_t>(type.bytes));
    return {};
  }
  if (scalar.type == "fp64") {
    Add(&scalar.real, sizeof scalar.real);
  } else if (scalar.type == "fp32") {
    const auto value = static_cast<float>(scalar.real);
    Add(&value, sizeof value);
  } else if (scalar.type == "bf16") {
    // Triton cuts a float32, it does not round.
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(scalar.real));
    const auto cut = static_cast<std::uint16_t>(bits >> 16);
    Add(&cut, sizeof cut);
  } else if (scalar.type == "fp16") {
    const std::uint16_t bits = HalfBits(scalar.real);
    Add(&bits, sizeof bits);
  } else {
    return Failure(fmt::format("a scalar of type '{}' can't be passed to a kernel", scalar.type));
  }
  return {};
}

void** ArgumentBlock::Pointers() {
  if (pointers_.size() != slots_.size()) {
    pointers_.clear();
    for (Slot& slot : slots_) pointers_.push_back(slot.bytes.data());
  }
  return pointers_.data();
}

void ArgumentBlock::Add(const void* value, std::size_t bytes) {
  CROQ_CHECK(bytes <= sizeof(Slot));
  std::memcpy(slots_.emplace_back().bytes.data(), value, bytes);
  sizes_.push_back(bytes);
  pointers_.clear();
}

}  // namespace croq::runner
