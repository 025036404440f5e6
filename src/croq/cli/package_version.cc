#include "croq/cli/package_version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace croq::cli {

std::vector<int> ParseVersion(std::string_view text) {
  std::vector<int> numbers;
  while (!text.empty()) {
    int number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || text.front() == '-')
      break;
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty() || text.front() != '.')
      break;
    text.remove_prefix(1);
  }
  return numbers;
}

int CompareVersions(std::string_view a, std::string_view b) {
  std::vector<int> left = ParseVersion(a);
  std::vector<int> right = ParseVersion(b);
  const std::size_t size = std::max(left.size(), right.size());
  left.resize(size);
  right.resize(size);
  if (left == right)
    return 0;
  return left < right ? -1 : 1;
}

bool IsOfRelease(std::string_view version, std::string_view prefix) {
  const std::vector<int> whole = ParseVersion(version);
  const std::vector<int> start = ParseVersion(prefix);
  return !start.empty() && whole.size() >= start.size() &&
         std::equal(start.begin(), start.end(), whole.begin());
}

PackageVerdict JudgePackage(const contract::Package& package, std::string_view version) {
  using Kind = PackageVerdict::Kind;
  if (version.empty()) {
    return {Kind::kMissing, fmt::format("not installed; needed for {}", package.needed_for),
            package.remedy};
  }
  if (!package.oldest.empty() && CompareVersions(version, package.oldest) < 0) {
    return {Kind::kTooOld,
            fmt::format("{}, too old: croq needs {} or newer", version, package.oldest),
            package.remedy};
  }
  const bool tested = package.tested.empty() ||
                      std::ranges::any_of(package.tested, [&](const std::string& release) {
                        return IsOfRelease(version, release);
                      });
  if (tested)
    return {Kind::kTested, std::string(version), ""};
  return {
      Kind::kUntested,
      fmt::format("{}, untested with croq (tested: {})", version, fmt::join(package.tested, ", ")),
      ""};
}

bool Conflicts(const contract::Conflict& conflict, std::string_view package_version,
               std::string_view with_version) {
  if (package_version.empty() || with_version.empty())
    return false;
  const bool with = IsOfRelease(with_version, conflict.up_to) ||
                    CompareVersions(with_version, conflict.up_to) < 0;
  return with && CompareVersions(package_version, conflict.from) >= 0;
}

}  // namespace croq::cli
