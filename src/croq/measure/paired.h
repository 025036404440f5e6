#pragma once

#include <limits>
#include <span>

#include "croq/model/measurement.h"

namespace croq::measure {

/// How much faster a candidate is than a reference: reference time over candidate time, so above 1
/// the candidate is faster.
struct RatioInterval {
  double ratio = 0;  ///< 0 where there were no pairs
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  int pairs = 0;  ///< that counted
};

inline constexpr double kDuelConfidence = 0.99;

/// Ratio and interval from interleaved pairs; pair i is candidate_ms[i] beside reference_ms[i], run
/// next to each other so that clock drift moves both.
///
/// Method: Hodges and Lehmann's estimate on the logarithms of the pairs' ratios (the median of all
/// pairwise averages) with the interval that inverts Wilcoxon's signed-rank test. It needs no
/// normal noise, only noise that strikes both sides alike: an interrupted launch moves it little,
/// where it would drag a mean. Costs 5% more samples than a t-interval on normal noise. Fewer than
/// 8 pairs cannot carry 99%: the interval is then 0 to infinity. (Hodges and Lehmann 1963;
/// Hollander and Wolfe, Nonparametric Statistical Methods, 3.2 and 3.3.)
///
/// Pairs with a time that is not above 0 and finite are left out; a longer list's tail is ignored.
RatioInterval PairedRatio(std::span<const double> candidate_ms,
                          std::span<const double> reference_ms,
                          double confidence = kDuelConfidence);
RatioInterval PairedRatio(const Duel& duel, double confidence = kDuelConfidence);

/// The whole interval lies above 1.
bool IsFaster(const RatioInterval& interval);
/// The whole interval lies below 1.
bool IsSlower(const RatioInterval& interval);

/// Half the interval's width over the ratio; infinity where the interval has no end.
double RelativeHalfWidth(const RatioInterval& interval);

/// When a duel has enough pairs. It looks at the interval's width alone and never at the side it
/// lies on, so looking again after each pair does not make a KEEP more likely.
struct DuelStop {
  int min_pairs = 20;
  int max_pairs = 200;
  double relative_half_width = 0.002;
};

bool HasEnoughPairs(const RatioInterval& interval, const DuelStop& stop);

}  // namespace croq::measure
