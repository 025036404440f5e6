#include "croq_runner/copy_speed.h"

#include <algorithm>
#include <vector>

#include "croq/measure/statistics.h"
#include "croq_runner/device_objects.h"

namespace croq::runner {
namespace {

constexpr int kWarmups = 3;
constexpr int kSamples = 15;
constexpr double kDeadlineMs = 10'000;

Ran<std::vector<double>> TimeCopies(Stopwatch& stopwatch, const LaunchFunction& copy) {
  const LaunchLimits limits{kDeadlineMs, 0};
  const std::vector<Stopwatch::Turn> warm(kWarmups, {&copy, 0, 1, nullptr});
  CROQ_TRY(stopwatch.TimeUnheld(warm, limits));
  const std::vector<Stopwatch::Turn> turns(kSamples, {&copy, 0, 1, nullptr});
  return stopwatch.TimeEach(turns, limits);
}

}  // namespace

Result<double> MeasureCopyGbps(const Driver& driver, Stopwatch& stopwatch, std::int64_t l2_bytes) {
  const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(4 * l2_bytes, 1 << 20));
  CROQ_ASSIGN(const DeviceBuffer from, DeviceBuffer::Create(driver, bytes, "measuring copies"));
  CROQ_ASSIGN(const DeviceBuffer to, DeviceBuffer::Create(driver, bytes, "measuring copies"));
  const LaunchFunction copy = [&](int) {
    return Checked(driver,
                   driver.MemcpyDtoDAsync(to.get(), from.get(), bytes, stopwatch.stream()),
                   "a copy within device memory");
  };
  const Ran<std::vector<double>> times = TimeCopies(stopwatch, copy);
  if (!times)
    return Failure(times.error().reason);
  const double ms = measure::Median(*times);
  return ms > 0 ? 2.0 * static_cast<double>(bytes) / ms / 1e6 : 0.0;
}

}  // namespace croq::runner
