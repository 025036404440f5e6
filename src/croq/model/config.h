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

/// One value per lever of one variant. Text form: `tiled BLOCK_K=64 BLOCK_M=128 ...`, levers sorted
/// by name; equal configurations have equal text.
struct Config {
  std::string variant;
  std::map<std::string, LeverValue, std::less<>> values;

  std::string Text() const;
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
