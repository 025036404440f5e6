#pragma once

#include <string>
#include <string_view>

namespace croq::profile {

/// What a unit measures, as far as figures are converted. ncu labels many counts oddly (stall
/// ratios in `inst`), so those pass as they are.
enum class Dimension { kOther, kTime, kBytes, kByteRate, kFrequency, kPercent };

/// A unit of ncu's, which are SI, never IEC: 233.472 Kbyte are 228 KiB.
struct Unit {
  Dimension dimension = Dimension::kOther;
  double scale = 1;  ///< to ns, byte, byte/s, hz, %
};

Unit ParseUnit(std::string_view text);

/// What figures of a dimension are converted to; empty for others.
std::string_view BaseUnit(Dimension dimension);

}  // namespace croq::profile
