#include "croq/profile/unit.h"

#include <array>
#include <cctype>
#include <optional>

namespace croq::profile {
namespace {

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

struct Scaled {
  std::string_view name;
  double scale;
};

/// Seconds in all their spellings, in ns. `second` stands alone and below a slash.
constexpr std::array<Scaled, 10> kTimes{{{"ns", 1},
                                         {"nsecond", 1},
                                         {"us", 1e3},
                                         {"usecond", 1e3},
                                         {"ms", 1e6},
                                         {"msecond", 1e6},
                                         {"s", 1e9},
                                         {"second", 1e9},
                                         {"nanosecond", 1},
                                         {"sec", 1e9}}};
constexpr std::array<Scaled, 6> kPrefixes{
    {{"", 1}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}, {"p", 1e15}}};

std::optional<double> TimeOf(std::string_view word) {
  for (const Scaled& time : kTimes) {
    if (word == time.name)
      return time.scale;
  }
  return std::nullopt;
}

/// The prefix of `word`, which ends in `base`.
std::optional<double> PrefixOf(std::string_view word, std::string_view base) {
  if (!word.ends_with(base))
    return std::nullopt;
  word.remove_suffix(base.size());
  for (const Scaled& prefix : kPrefixes) {
    if (word == prefix.name)
      return prefix.scale;
  }
  return std::nullopt;
}

std::optional<double> BytesOf(std::string_view word) {
  const auto bytes = PrefixOf(word, "byte");
  return bytes ? bytes : PrefixOf(word, "bytes");
}

}  // namespace

Unit ParseUnit(std::string_view text) {
  constexpr double kNsPerSecond = 1e9;
  if (text == "%")
    return {Dimension::kPercent, 1};
  const std::string lower = Lower(text);
  const std::string_view word = lower;
  const std::size_t slash = word.find('/');
  if (slash == std::string_view::npos) {
    if (const auto time = TimeOf(word))
      return {Dimension::kTime, *time};
    if (const auto bytes = BytesOf(word))
      return {Dimension::kBytes, *bytes};
    if (const auto rate = PrefixOf(word, "hz"))
      return {Dimension::kFrequency, *rate};
    return {};
  }
  const std::string_view above = word.substr(0, slash);
  const std::string_view below = word.substr(slash + 1);
  const auto bytes = BytesOf(above);
  if (const auto time = TimeOf(below)) {
    if (bytes)
      return {Dimension::kByteRate, *bytes * kNsPerSecond / *time};
    if (const auto cycles = PrefixOf(above, "cycle"))
      return {Dimension::kFrequency, *cycles * kNsPerSecond / *time};
    return {};
  }
  if (bytes && (below == "block" || below == "thread"))
    return {Dimension::kBytes, *bytes};
  return {};
}

std::string_view BaseUnit(Dimension dimension) {
  switch (dimension) {
    case Dimension::kTime:
      return "ns";
    case Dimension::kBytes:
      return "byte";
    case Dimension::kByteRate:
      return "byte/s";
    case Dimension::kFrequency:
      return "hz";
    case Dimension::kPercent:
      return "%";
    case Dimension::kOther:
      break;
  }
  return "";
}

}  // namespace croq::profile
