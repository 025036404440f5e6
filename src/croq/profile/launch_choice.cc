#include "croq/profile/launch_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "croq/profile/catalog.h"
#include "croq/profile/kernel_name.h"
#include "croq/profile/metrics.h"

namespace croq::profile {
namespace {

constexpr std::size_t kMostNames = 20;
constexpr std::size_t kLongestName = 120;

/// The names, one a line with its number of launches; a name too long for a line gets its base name
/// before it, which is what one asks for.
std::string Names(const Export& exported, const std::vector<std::size_t>& kernels) {
  std::vector<std::size_t> counts(exported.kernels.size());
  for (const Launch& launch : exported.launches) ++counts[launch.kernel];
  std::string out;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (i == kMostNames)
      return out + fmt::format("\n  and {} more", kernels.size() - i);
    const std::string& name = exported.kernels[kernels[i]];
    const std::string_view base = BaseName(name);
    out += "\n  " + ShownName(base);
    if (base != name) {
      out += fmt::format("   ({}{})", WithoutControls(name.substr(0, kLongestName)),
                         name.size() > kLongestName ? "..." : "");
    }
    if (counts[kernels[i]] > 1)
      out += fmt::format(", {} launches", counts[kernels[i]]);
  }
  return out;
}

std::vector<std::size_t> AllKernels(const Export& exported) {
  std::vector<std::size_t> all(exported.kernels.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

Result<std::size_t> ChooseKernel(const Export& exported, std::optional<std::string_view> asked,
                                 std::string_view file) {
  if (!asked) {
    if (exported.kernels.size() == 1)
      return 0;
    return UsageFailure(fmt::format("{}: it holds several kernels; say which with --kernel:{}",
                                    file, Names(exported, AllKernels(exported))));
  }
  CROQ_ASSIGN(const NamePattern pattern, NamePattern::Parse(*asked));
  Fit best = Fit::kNone;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < exported.kernels.size(); ++i) {
    const Fit fit = pattern.FitOf(exported.kernels[i]);
    if (fit == Fit::kNone || fit < best)
      continue;
    if (fit > best)
      found.clear();
    best = fit;
    found.push_back(i);
  }
  if (found.empty()) {
    return UsageFailure(fmt::format("{}: no kernel '{}' in it; there are:{}", file,
                                    ShownName(*asked), Names(exported, AllKernels(exported))));
  }
  if (found.size() > 1) {
    return UsageFailure(fmt::format(
        "{}: '{}' fits several kernels; give one's whole name, or regex: and a part of it:{}", file,
        ShownName(*asked), Names(exported, found)));
  }
  return found.front();
}

}  // namespace

Result<LaunchChoice> ChooseLaunch(const Export& exported, std::optional<std::string_view> name,
                                  std::string_view file) {
  CROQ_ASSIGN(const std::size_t kernel, ChooseKernel(exported, name, file));
  std::vector<std::size_t> launches;
  for (std::size_t i = 0; i < exported.launches.size(); ++i) {
    if (exported.launches[i].kernel == kernel)
      launches.push_back(i);
  }
  if (launches.size() == 1)
    return LaunchChoice{launches.front(), 1, "the only launch"};
  std::vector<std::pair<double, std::size_t>> timed;
  for (const std::size_t launch : launches) {
    const std::vector<Reading> readings = exported.ReadingsOf(exported.launches[launch]);
    const Metric duration = LookUp(DurationSpec(), ReadingIndex(readings), exported.mark);
    if (duration.value)
      timed.emplace_back(*duration.value, launch);
  }
  if (timed.size() < launches.size()) {
    return LaunchChoice{launches.back(), launches.size(),
                        fmt::format("the last of {} launches", launches.size())};
  }
  std::ranges::sort(timed);
  return LaunchChoice{timed[(timed.size() - 1) / 2].second, launches.size(),
                      fmt::format("the median of {} launches by duration", launches.size())};
}

}  // namespace croq::profile
