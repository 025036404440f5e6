#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "croq/base/clock.h"

namespace croq::runner {

/// The second line behind a deadline: calls into the driver can block for ever behind a kernel that
/// never ends (a full launch queue, a synchronisation), and then nobody polls. While armed, a
/// thread waits; past the deadline it runs `expired` under the lock, which must end the process.
class Watchdog {
 public:
  explicit Watchdog(std::function<void()> expired);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void Arm(SteadyTime deadline);
  /// After this `expired` will not run: it either has (and the process is gone) or never does.
  void Disarm();

  /// Arms for a scope.
  class Scope {
   public:
    Scope(Watchdog& watchdog, SteadyTime deadline) : watchdog_(watchdog) {
      watchdog_.Arm(deadline);
    }
    ~Scope() { watchdog_.Disarm(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Watchdog& watchdog_;
  };

 private:
  void Watch();

  std::function<void()> expired_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<SteadyTime> deadline_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace croq::runner
