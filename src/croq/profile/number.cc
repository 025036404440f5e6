#include "croq/profile/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

namespace croq::profile {
namespace {

constexpr std::size_t kLongest = 64;  ///< characters of a number; ncu prints up to about 25
constexpr std::size_t kGroup = 3;
/// NBSP, narrow NBSP, right single quote in UTF-8: what some locales group thousands with.
constexpr std::array<std::string_view, 3> kSeparators{"\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x99"};

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

/// The cell's first word: ` (182)`, which holds the instances, is cut off.
std::string_view Aggregate(std::string_view cell) {
  while (cell.starts_with(' ')) cell.remove_prefix(1);
  while (cell.ends_with(' ')) cell.remove_suffix(1);
  if (cell.ends_with(')')) {
    if (const std::size_t at = cell.find(" ("); at != std::string_view::npos)
      return cell.substr(0, at);
  }
  return cell;
}

/// Only digits in groups of three from the right, the first of them 1 to 3 long and without a
/// leading zero; or no separator at all. Appends the digits.
bool AppendWhole(std::string_view text, char separator, std::string& out) {
  std::size_t group = 0;
  bool grouped = false;
  std::size_t digits = 0;
  const bool zero_first = text.size() > 1 && text.front() == '0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (IsDigit(text[i])) {
      out += text[i];
      ++group;
      ++digits;
      continue;
    }
    if (text[i] != separator || group == 0 || group > kGroup || (grouped && group != kGroup))
      return false;
    grouped = true;
    group = 0;
  }
  return digits > 0 && (!grouped || (group == kGroup && !zero_first));
}

std::optional<double> Convert(std::string_view text, DecimalMark mark) {
  const char point = mark == DecimalMark::kPoint ? '.' : ',';
  const char separator = mark == DecimalMark::kPoint ? ',' : '.';
  std::string plain;
  if (text.starts_with('-') || text.starts_with('+')) {
    if (text.front() == '-')
      plain += '-';
    text.remove_prefix(1);
  }
  const std::size_t exponent = std::min(text.find_first_of("eE"), text.size());
  const std::size_t at = std::min(text.find(point), exponent);
  if (!AppendWhole(text.substr(0, at), separator, plain))
    return std::nullopt;
  if (at < exponent)
    plain += "." + std::string(text.substr(at + 1, exponent - at - 1));
  plain += text.substr(exponent);
  if (plain.find("e+") != std::string::npos || plain.find("E+") != std::string::npos)
    plain.erase(plain.find('+'), 1);
  double value = 0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (error != std::errc() || end != plain.data() + plain.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::string WithoutSeparators(std::string_view text) {
  std::string out(text);
  std::erase(out, '\'');
  for (const std::string_view separator : kSeparators) {
    for (std::size_t at = 0; (at = out.find(separator, at)) != std::string::npos;)
      out.erase(at, separator.size());
  }
  return out;
}

bool EqualNoCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return (x | 0x20) == (y | 0x20); });
}

}  // namespace

void MarkVotes::Add(std::string_view cell) {
  if (cell.size() > kLongest) {
    // Instances follow their aggregate.
    cell = cell.substr(0, std::min(cell.find(' '), kLongest));
  }
  std::size_t commas = 0;
  std::size_t points = 0;
  std::size_t last = 0;   // place of the last mark
  std::size_t first = 0;  // of the first
  std::size_t length = 0;
  for (; length < cell.size(); ++length) {
    const char c = cell[length];
    if (c == ' ' && length > 0)
      break;
    if (c == ',' || c == '.') {
      if (commas + points == 0)
        first = length;
      last = length;
      ++(c == ',' ? commas : points);
    } else if (!IsDigit(c) && !(length == 0 && c == '-')) {
      return;  // a word, or a list of something else
    }
  }
  if (commas + points == 0 || last + 1 == length || first == 0)
    return;
  const bool comma_last = cell[last] == ',';
  if (commas > 0 && points > 0) {
    // The last one is the decimal mark, if it stands alone.
    if ((comma_last ? commas : points) == 1)
      ++(comma_last ? comma_ : point_);
    return;
  }
  if (commas + points > 1) {  // groups, if all of them are of three
    for (std::size_t at = last; at > first && at > kGroup; at -= kGroup + 1) {
      if (cell[at] != cell[last] || cell[at - kGroup - 1] != cell[last])
        return;
    }
    if (length - last - 1 == kGroup)
      ++(comma_last ? point_ : comma_);
    return;
  }
  const std::size_t sign = cell.front() == '-' ? 1 : 0;
  const bool grouping = length - last - 1 == kGroup && first - sign <= kGroup && cell[sign] != '0';
  if (!grouping)
    ++(comma_last ? comma_ : point_);
}

DecimalMark MarkVotes::Winner() const {
  return comma_ > point_ ? DecimalMark::kComma : DecimalMark::kPoint;
}

CellNumber ParseNumber(std::string_view cell, DecimalMark mark) {
  const std::string_view word = Aggregate(cell);
  if (word.empty())
    return {false, 0, "the cell is empty: not collected"};
  if (word.front() == '(' && word.find("nan") == std::string_view::npos)
    return {false, 0, "the cell holds instances without a total"};
  const std::string shown(word.substr(0, kLongest));
  if (EqualNoCase(word, "n/a"))
    return {false, 0, fmt::format("'{}': this GPU or this ncu does not have it", shown)};
  if (EqualNoCase(word, "no data"))
    return {false, 0, "'no data': not collected"};
  if (word.size() <= kLongest) {
    if (const auto value = Convert(WithoutSeparators(word), mark))
      return {true, *value, ""};
  }
  return {false, 0, fmt::format("'{}' is no number", shown)};
}

}  // namespace croq::profile
