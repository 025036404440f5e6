#include "croq_runner/scale_draw.h"

#include <cmath>

#include "croq_runner/numerics.h"

namespace croq::runner {
namespace {

constexpr int kBits = 8;               ///< of the common factor
constexpr std::uint32_t kSteps = 33;   ///< (64 +- 16) / 64, whose root mean square is 1.011
constexpr double kStepsRms = 1.011;
constexpr std::uint32_t kPowers = 7;   ///< 2^-3 to 2^3, whose root mean square is 3.491
constexpr int kLowestPower = -3;
constexpr double kPowersRms = 3.491;

double Rounded(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, kBits)), exponent - kBits);
}

}  // namespace

std::vector<float> DrawScales(const ScaleGrid& grid, double deviation, std::uint64_t seed,
                              std::uint32_t stream) {
  const bool spread = grid.Elements() > 1;
  const double common = Rounded(deviation / (spread ? kStepsRms * kPowersRms : 1.0));
  const auto key0 = static_cast<std::uint32_t>(seed);
  const auto key1 = static_cast<std::uint32_t>(seed >> 32);
  std::vector<float> scales;
  scales.reserve(static_cast<std::size_t>(grid.Elements()));
  for (std::int64_t i = 0; i < grid.Elements(); ++i) {
    const PhiloxWords words = Philox(InputCounter(static_cast<std::uint64_t>(i), stream), key0, key1);
    const double step = static_cast<double>(48 + words.word[0] % kSteps) / 64;
    const int power = spread ? kLowestPower + static_cast<int>(words.word[1] % kPowers) : 0;
    scales.push_back(static_cast<float>(std::ldexp(common * step, power)));
  }
  return scales;
}

}  // namespace croq::runner
