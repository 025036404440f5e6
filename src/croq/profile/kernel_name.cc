#include "croq/profile/kernel_name.h"

#include <fmt/format.h>

#include <cctype>
#include <regex>

namespace croq::profile {
namespace {

constexpr std::string_view kRegex = "regex:";
/// std::regex recurses once a character; whole names of more are matched by their base name alone.
constexpr std::size_t kLongestForRegex = 4096;

/// `_0d1d2d`, `_0d1`: an underscore, a digit, then letters, digits and underscores.
bool IsSpecialisation(std::string_view suffix) {
  if (suffix.size() < 2 || suffix[0] != '_' || suffix[1] < '0' || suffix[1] > '9')
    return false;
  for (const char c : suffix.substr(2)) {
    if (c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0)
      return false;
  }
  return true;
}

}  // namespace

std::string_view BaseName(std::string_view printed) {
  std::size_t start = 0;   // of the component that may be the name
  std::size_t opened = 0;  // place of the bracket that is open at depth 1
  std::size_t depth = 0;
  for (std::size_t i = 0; i < printed.size(); ++i) {
    const char c = printed[i];
    if (c == '<' || c == '(' || c == '[' || c == '{') {
      if (depth++ == 0)
        opened = i;
    } else if ((c == '>' || c == ')' || c == ']' || c == '}') && depth > 0) {
      if (--depth > 0)
        continue;
      // What is followed by `::` was a namespace or class; anything else ends the name.
      if (!printed.substr(i + 1).starts_with("::"))
        return printed.substr(start, opened - start);
    } else if (depth == 0 && c == ':' && printed.substr(i).starts_with("::")) {
      start = i + 2;
      ++i;
    } else if (depth == 0 && c == ' ') {
      start = i + 1;
    }
  }
  return printed.substr(start, depth > 0 ? opened - start : std::string_view::npos);
}

std::string WithoutControls(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    if ((byte < 0x20 && byte != '\t') || byte == 0x7F) {
      shown += fmt::format("\\x{:02x}", byte);
    } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {  // U+0080 to U+009F
      shown += fmt::format("\\x{:02x}", next);
      ++i;
    } else {
      shown += text[i];
    }
  }
  return shown;
}

std::string ShownName(std::string_view name) {
  return name.empty() ? "(no name)" : WithoutControls(name);
}

Result<NamePattern> NamePattern::Parse(std::string_view asked) {
  NamePattern pattern;
  pattern.is_regex_ = asked.starts_with(kRegex);
  pattern.name_ = asked.substr(pattern.is_regex_ ? kRegex.size() : 0);
  if (pattern.name_.empty())
    return UsageFailure("the kernel's name is empty; leave it out or name one");
  if (pattern.is_regex_) {
    try {
      const std::regex tried(pattern.name_);
    } catch (const std::regex_error& error) {
      return UsageFailure(
          fmt::format("'{}' is no regular expression: {}", pattern.name_, error.what()));
    }
  }
  return pattern;
}

Fit NamePattern::FitOf(std::string_view printed) const {
  const std::string_view base = BaseName(printed);
  if (!is_regex_) {
    if (printed == name_)
      return Fit::kExact;
    if (base == name_)
      return Fit::kBase;
    const bool suffixed = base.starts_with(name_) && IsSpecialisation(base.substr(name_.size()));
    return suffixed ? Fit::kSpecialised : Fit::kNone;
  }
  try {
    const std::regex expression(name_);
    for (const std::string_view name : {base, printed}) {
      if (name.size() <= kLongestForRegex &&
          std::regex_search(name.begin(), name.end(), expression))
        return Fit::kExact;
    }
  } catch (const std::regex_error&) {  // too complex for this name
  }
  return Fit::kNone;
}

}  // namespace croq::profile
