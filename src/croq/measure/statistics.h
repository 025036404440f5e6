#pragma once

#include <span>

namespace croq::measure {

/// All of these return 0 for an empty span and do not change what they are given.

double Mean(std::span<const double> values);

/// The value below which a share of `p` (0..1) lies, linear between order statistics (Hyndman and
/// Fan's type 7, what numpy does).
double Quantile(std::span<const double> values, double p);

double Median(std::span<const double> values);

/// 1.4826 times the median absolute deviation from the median: estimates the standard deviation of
/// normal noise and ignores up to half of the samples being outliers. In the values' unit.
double RobustSpread(std::span<const double> values);

/// RobustSpread over Median, without a unit; 0 where the median is not above 0.
double RelativeSpread(std::span<const double> values);

}  // namespace croq::measure
