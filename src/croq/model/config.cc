#include "croq/model/config.h"

#include <fmt/format.h>

#include <charconv>

#include "croq/base/check.h"

namespace croq {
namespace {

LeverValue ParseValue(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code == std::errc() && end == text.data() + text.size()) return number;
  return std::string(text);
}

}  // namespace

std::string ToText(const LeverValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return std::get<std::string>(value);
}

std::uint64_t HashOn(std::uint64_t seed, std::string_view bytes) {
  constexpr std::uint64_t kPrime = 1099511628211ull;
  for (const char byte : bytes) seed = (seed ^ static_cast<unsigned char>(byte)) * kPrime;
  return (seed ^ 0xFF) * kPrime;  // an end, so that "ab" + "c" differs from "a" + "bc"
}

std::uint64_t HashValueOn(std::uint64_t seed, const LeverValue& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return HashOn(seed, *word);
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof(digits), std::get<std::int64_t>(value)).ptr;
  return HashOn(seed, std::string_view(digits, static_cast<std::size_t>(end - digits)));
}

std::uint64_t Config::Key() const {
  std::uint64_t key = HashOn(kHashStart, variant);
  for (const auto& [lever, value] : values) key = HashValueOn(HashOn(key, lever), value);
  return key;
}

std::string Config::Text() const {
  std::string text = variant;
  for (const auto& [lever, value] : values) text += fmt::format(" {}={}", lever, ToText(value));
  return text;
}

std::int64_t Config::Int(std::string_view lever) const {
  const auto found = values.find(lever);
  CROQ_CHECK(found != values.end());
  return std::get<std::int64_t>(found->second);
}

std::int64_t Config::IntOr(std::string_view lever, std::int64_t absent) const {
  const auto found = values.find(lever);
  return found == values.end() ? absent : std::get<std::int64_t>(found->second);
}

std::string Config::WordOr(std::string_view lever, std::string_view absent) const {
  const auto found = values.find(lever);
  return found == values.end() ? std::string(absent) : std::get<std::string>(found->second);
}

Result<Config> ParseConfig(std::string_view text) {
  Config config;
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (first) {
      config.variant = std::string(part);
      first = false;
      continue;
    }
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return Failure(fmt::format("'{}' is not LEVER=VALUE in a configuration", part));
    }
    config.values.insert_or_assign(std::string(part.substr(0, equals)),
                                   ParseValue(part.substr(equals + 1)));
  }
  if (config.variant.empty()) return Failure("a configuration starts with its variant");
  return config;
}

}  // namespace croq
