#pragma once

#include "croq/base/result.h"
#include "croq/model/device.h"
#include "croq_runner/driver.h"

namespace croq::runner {

/// Dense floating-point operations of one SM in one clock, a fused multiply-add counting as two.
struct SmRates {
  int f16 = 0;   ///< tensor cores, f16 and bf16 with float32 accumulation
  int tf32 = 0;  ///< tensor cores; 0: none
  int f32 = 0;   ///< outside the tensor cores
};

/// From NVIDIA's datasheets and architecture papers. Within compute capabilities 8.6, 8.9 and 12.0
/// the consumer boards run at half the rate of the professional ones, which the driver does not
/// tell; the higher is given, so that a peak is never below what a board can do. An unknown newer
/// capability gets the newest one's.
SmRates RatesOf(int compute_capability);

/// Everything in DeviceFacts. The context of the device should be current (free memory is read from
/// it; 0 otherwise).
Result<DeviceFacts> ReadDeviceFacts(const Driver& driver, int ordinal);

}  // namespace croq::runner
