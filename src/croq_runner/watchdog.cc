#include "croq_runner/watchdog.h"

#include <utility>

namespace croq::runner {

Watchdog::Watchdog(std::function<void()> expired)
    : expired_(std::move(expired)), thread_([this] { Watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Watchdog::Arm(SteadyTime deadline) {
  const std::lock_guard lock(mutex_);
  deadline_ = deadline;
  changed_.notify_one();
}

void Watchdog::Disarm() {
  const std::lock_guard lock(mutex_);
  deadline_.reset();
  // No notice: waking the thread only to sleep again would cost a switch beside every timing.
}

void Watchdog::Watch() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    if (!deadline_) {
      changed_.wait(lock);
      continue;
    }
    const SteadyTime waited_for = *deadline_;
    changed_.wait_until(lock, waited_for);
    if (!ending_ && deadline_ && std::chrono::steady_clock::now() >= *deadline_) {
      expired_();
      deadline_.reset();
    }
  }
}

}  // namespace croq::runner
