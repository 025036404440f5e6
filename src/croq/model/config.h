#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "croq/base/result.h"

namespace croq {

/// A lever's value: a whole number (BLOCK_M, num_warps) or a word (EVICT_A).
using LeverValue = std::variant<std::int64_t, std::string>;

std::string ToText(const LeverValue& value);

/// FNV-1a of the bytes, going on from `seed`.
std::uint64_t HashOn(std::uint64_t seed, std::string_view bytes);
/// The same of a lever's value.
std::uint64_t HashValueOn(std::uint64_t seed, const LeverValue& value);
inline constexpr std::uint64_t kHashStart = 14695981039346656037ull;

/// One value per lever of one variant. Text form: `tiled BLOCK_K=64 BLOCK_M=128 ...`, levers sorted
/// by name; equal configurations have equal text.
struct Config {
  std::string variant;
  std::map<std::string, LeverValue, std::less<>> values;

  std::string Text() const;
  /// A number for the sets that a long search keeps: equal for equal configurations, and for others
  /// by a chance of 2^-64 (FNV-1a over the parts of Text()).
  std::uint64_t Key() const;
  /// The number of a lever the configuration must have (programmer error otherwise).
  std::int64_t Int(std::string_view lever) const;
  /// The number of a lever, or `absent` where the variant does not have it.
  std::int64_t IntOr(std::string_view lever, std::int64_t absent) const;
  /// The word of a lever, or `absent`.
  std::string WordOr(std::string_view lever, std::string_view absent) const;

  friend bool operator==(const Config&, const Config&) = default;
};

/// Reads Text() back.
Result<Config> ParseConfig(std::string_view text);

}  // namespace croq
