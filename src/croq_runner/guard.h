#pragma once

#include <cstdint>

#include "croq/base/result.h"
#include "croq_runner/driver.h"

namespace croq::runner {

/// Before and after what a candidate may write lie bytes that it may not.
inline constexpr std::int64_t kGuardBytes = 4096;
inline constexpr unsigned char kGuardByte = 0xA5;

/// Sets `bytes` bytes from `at` on, on `stream`. `what` is said where the driver refuses.
inline Status Set8(const Driver& driver, CUdeviceptr at, unsigned char value, std::int64_t bytes,
                   CUstream stream, const char* what) {
  if (bytes == 0) return {};
  return driver.Check(driver.MemsetD8Async(at, value, static_cast<std::size_t>(bytes), stream),
                      what);
}

}  // namespace croq::runner
