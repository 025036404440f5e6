#pragma once

#include <cstdint>

#include "croq/base/result.h"
#include "croq_runner/driver.h"
#include "croq_runner/stopwatch.h"

namespace croq::runner {

/// Bytes read and written a second, over 1e9, by copies within device memory: between two buffers
/// of four times the L2 each, the median of 15 after 3 warm-ups. What a kernel that only moves data
/// can hope for. Error: no memory for the buffers, or the device's.
Result<double> MeasureCopyGbps(const Driver& driver, Stopwatch& stopwatch, std::int64_t l2_bytes);

}  // namespace croq::runner
