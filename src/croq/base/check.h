#pragma once

namespace croq {

/// Prints the broken condition with its place to standard error and aborts.
[[noreturn]] void CheckFailed(const char* condition, const char* file, int line);

}  // namespace croq

/// Stays on in release. For programmer errors only: no input may reach it.
#define CROQ_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::croq::CheckFailed(#condition, __FILE__, __LINE__))
