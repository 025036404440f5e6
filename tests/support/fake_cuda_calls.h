#pragma once

#include <cuda.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "support/fake_cuda_model.h"

/// What the fake driver's functions share.
namespace croq::fake {

inline CUresult State() {
  const std::lock_guard lock(TheDevice().mutex);
  return static_cast<CUresult>(TheDevice().sticky);
}

/// Waits as the real calls do: for ever behind a kernel that never ends.
inline CUresult Synchronize() {
  while (true) {
    {
      const std::lock_guard lock(TheDevice().mutex);
      if (!TheDevice().hung)
        return static_cast<CUresult>(TheDevice().sticky);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

[[noreturn]] inline void BlockForEver() {
  while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
}

inline Event* AsEvent(CUevent event) {
  return reinterpret_cast<Event*>(event);
}

}  // namespace croq::fake
