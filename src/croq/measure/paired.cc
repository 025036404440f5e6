#include "croq/measure/paired.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace croq::measure {
namespace {

std::vector<double> LogRatios(std::span<const double> candidate_ms,
                              std::span<const double> reference_ms) {
  std::vector<double> logs;
  const std::size_t count = std::min(candidate_ms.size(), reference_ms.size());
  logs.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double log = std::log(reference_ms[i]) - std::log(candidate_ms[i]);
    if (std::isfinite(log))
      logs.push_back(log);
  }
  return logs;
}

/// (x_i + x_j) / 2 for all i <= j.
std::vector<double> WalshAverages(const std::vector<double>& values) {
  std::vector<double> averages;
  averages.reserve(values.size() * (values.size() + 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i; j < values.size(); ++j) {
      averages.push_back(0.5 * (values[i] + values[j]));
    }
  }
  return averages;
}

/// The largest w with P(W < w) <= tail, W Wilcoxon's signed-rank statistic of n pairs without an
/// effect; 0 where even the extreme is likelier than that. Exact: the distribution of a sum of
/// ranks 1..n each taken with probability 1/2.
std::size_t ExactCritical(std::size_t n, double tail) {
  const std::size_t top = n * (n + 1) / 2;
  std::vector<double> probability(top + 1, 0.0);
  probability[0] = 1;
  std::size_t reached = 0;
  for (std::size_t rank = 1; rank <= n; ++rank) {
    for (std::size_t sum = reached + rank + 1; sum-- > 0;) {
      const double with = sum >= rank ? probability[sum - rank] : 0;
      const double without = sum <= reached ? probability[sum] : 0;
      probability[sum] = 0.5 * (with + without);
    }
    reached += rank;
  }
  double below = 0;
  std::size_t w = 0;
  while (w < top && below + probability[w] <= tail) below += probability[w++];
  return w;
}

/// Phi^-1(p) by bisection on erfc; 60 halvings of [-10, 10] end below 1e-16.
double NormalQuantile(double p) {
  double low = -10;
  double high = 10;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (0.5 * std::erfc(-middle / std::sqrt(2.0)) < p ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// The same by the normal approximation with continuity correction, for many pairs.
std::size_t ApproximateCritical(std::size_t count, double tail) {
  const auto n = static_cast<double>(count);
  const double mean = n * (n + 1) / 4;
  const double deviation = std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
  const double w = std::floor(mean + NormalQuantile(tail) * deviation + 0.5);
  return w > 0 ? static_cast<std::size_t>(w) : 0;
}

double OrderStatistic(std::vector<double>& values, std::size_t index) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(index);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

double MedianOf(std::vector<double>& values) {
  const double upper = OrderStatistic(values, values.size() / 2);
  if (values.size() % 2 == 1)
    return upper;
  return 0.5 * (upper + OrderStatistic(values, values.size() / 2 - 1));
}

}  // namespace

RatioInterval PairedRatio(std::span<const double> candidate_ms,
                          std::span<const double> reference_ms, double confidence) {
  const std::vector<double> logs = LogRatios(candidate_ms, reference_ms);
  RatioInterval interval;
  interval.pairs = static_cast<int>(logs.size());
  if (logs.empty())
    return interval;
  std::vector<double> averages = WalshAverages(logs);
  interval.ratio = std::exp(MedianOf(averages));
  // Exact up to here; beyond, the approximation is off by less than one place in thousands.
  constexpr std::size_t kExactPairs = 60;
  const double tail = 0.5 * (1 - confidence);
  const std::size_t critical = logs.size() <= kExactPairs ? ExactCritical(logs.size(), tail)
                                                          : ApproximateCritical(logs.size(), tail);
  if (critical == 0)
    return interval;
  interval.low = std::exp(OrderStatistic(averages, critical - 1));
  interval.high = std::exp(OrderStatistic(averages, averages.size() - critical));
  return interval;
}

RatioInterval PairedRatio(const Duel& duel, double confidence) {
  return PairedRatio(duel.candidate_ms, duel.reference_ms, confidence);
}

bool IsFaster(const RatioInterval& interval) {
  return interval.low > 1;
}

bool IsSlower(const RatioInterval& interval) {
  return interval.high < 1;
}

double RelativeHalfWidth(const RatioInterval& interval) {
  if (interval.ratio <= 0)
    return std::numeric_limits<double>::infinity();
  return 0.5 * (interval.high - interval.low) / interval.ratio;
}

bool HasEnoughPairs(const RatioInterval& interval, const DuelStop& stop) {
  if (interval.pairs >= stop.max_pairs)
    return true;
  return interval.pairs >= stop.min_pairs &&
         RelativeHalfWidth(interval) <= stop.relative_half_width;
}

}  // namespace croq::measure
