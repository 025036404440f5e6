#include "croq/cli/shape_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace croq::cli {
namespace {

bool IsName(std::string_view text) {
  const auto inside = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::all_of(text.begin(), text.end(), inside);
}

}  // namespace

Result<std::vector<std::pair<std::string, std::int64_t>>> ParseNamedShape(const std::string& text) {
  std::vector<std::pair<std::string, std::int64_t>> shape;
  std::string_view left = text;
  while (!left.empty()) {
    const std::size_t comma = std::min(left.find(','), left.size());
    std::string_view part = left.substr(0, comma);
    left.remove_prefix(std::min(comma + 1, left.size()));
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string_view name = part.substr(0, equals);
    const std::string_view digits = part.substr(std::min(equals + 1, part.size()));
    std::int64_t value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    if (!IsName(name) || !whole || value <= 0) {
      return UsageFailure(fmt::format(
          "--shape: '{}' is no NAME=NUMBER; write the kernel's parameters, as in "
          "--shape \"M=4096,N=1024\"",
          part));
    }
    const bool again = std::any_of(shape.begin(), shape.end(),
                                   [&](const auto& one) { return one.first == name; });
    if (again)
      return UsageFailure(fmt::format("--shape names '{}' twice", name));
    shape.emplace_back(name, value);
  }
  return shape;
}

}  // namespace croq::cli
