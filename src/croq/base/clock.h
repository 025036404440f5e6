#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace croq {

using SteadyTime = std::chrono::steady_clock::time_point;

/// Seconds since `start` on the monotonic clock.
inline double SecondsSince(SteadyTime start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Milliseconds since the Unix epoch.
inline std::int64_t UnixMillis() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// `2026-01-31T12:00:00.123Z`, UTC.
std::string FormatUtc(std::int64_t unix_millis);

}  // namespace croq
