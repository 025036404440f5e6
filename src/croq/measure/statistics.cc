#include "croq/measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace croq::measure {

double Mean(std::span<const double> values) {
  if (values.empty())
    return 0;
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double Quantile(std::span<const double> values, double p) {
  if (values.empty())
    return 0;
  std::vector<double> sorted(values.begin(), values.end());
  const double place = std::clamp(p, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(sorted.begin(), at, sorted.end());
  const double low = *at;
  if (below + 1 >= sorted.size())
    return low;
  const double high = *std::min_element(at + 1, sorted.end());
  return low + (place - static_cast<double>(below)) * (high - low);
}

double Median(std::span<const double> values) {
  return Quantile(values, 0.5);
}

double RobustSpread(std::span<const double> values) {
  const double median = Median(values);
  std::vector<double> deviations;
  deviations.reserve(values.size());
  for (const double value : values) deviations.push_back(std::abs(value - median));
  // 1 / Phi^-1(3/4): scales the MAD of a normal distribution to its standard deviation.
  constexpr double kNormalScale = 1.4826;
  return kNormalScale * Median(deviations);
}

double RelativeSpread(std::span<const double> values) {
  const double median = Median(values);
  return median > 0 ? RobustSpread(values) / median : 0;
}

}  // namespace croq::measure
