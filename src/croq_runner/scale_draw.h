#pragma once

#include <cstdint>
#include <vector>

#include "croq/model/scaling.h"

namespace croq::runner {

/// The scales of one FP8 operand in row-major order, a pure function of seed and stream. Scaled
/// elements of deviation 1 get the deviation `deviation`. One scale of a tensor lies within a quarter
/// of it; those of blocks differ by up to 2^+-3 beside that, so that none stands for its neighbour.
/// At most 15 bits are significant: an e4m3 value, of 4, times its scale is exact in float32.
std::vector<float> DrawScales(const ScaleGrid& grid, double deviation, std::uint64_t seed,
                              std::uint32_t stream);

}  // namespace croq::runner
