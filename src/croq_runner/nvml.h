#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "croq/base/result.h"
#include "croq_runner/driver.h"

namespace croq::runner {

/// Clock and throttle reasons of one moment; zeros where NVML gave none.
struct ClockReading {
  int sm_clock_mhz = 0;
  std::uint64_t throttle_reasons = 0;  ///< nvmlClocksThrottleReasons bits
};

/// libnvidia-ml, opened at run time, for one device. Its absence is not an error for the runner:
/// Open fails, and the runner goes on without clocks.
class Nvml {
 public:
  /// Opens $CROQ_LIBNVML, else libnvidia-ml.so.1, and finds the device by its PCI bus id (NVML's
  /// indices ignore CUDA_VISIBLE_DEVICES).
  static Result<std::unique_ptr<Nvml>> Open(const Driver& driver, int ordinal);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  ClockReading Read() const;

 private:
  struct Api;
  Nvml();
  std::unique_ptr<Api> api_;
};

}  // namespace croq::runner
