#pragma once

#include <cuda.h>

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "croq_runner/device_objects.h"
#include "croq_runner/driver.h"
#include "croq_runner/fault.h"
#include "croq_runner/watchdog.h"

namespace croq::runner {

/// Puts one execution on input set `set` on the stream, without waiting.
using LaunchFunction = std::function<Ran<void>(int set)>;

/// What must happen before a launch and is not timed: `restore` for each, then `settle` (may be
/// empty) once for those that are queued together.
struct Preparation {
  LaunchFunction restore;
  std::function<Ran<void>()> settle;
};

/// How long launches may take before the outcome is timeout.
struct LaunchLimits {
  double deadline_ms = 2000;  ///< of one launch
  double typical_ms = 0;      ///< of one launch, as seen before; stretches the limit of a batch

  double BatchMs(std::size_t launches) const {
    return deadline_ms + 4 * typical_ms * static_cast<double>(launches);
  }
};

/// Times launches on one stream by CUDA events. Nothing waits inside a timed batch: everything is
/// recorded, then the last event is polled with short sleeps until it is done or the limit is past
/// (a fault with outcome timeout; the device is then still busy and nothing may touch it).
class Stopwatch {
 public:
  /// `watchdog` may be null.
  static Result<std::unique_ptr<Stopwatch>> Create(const Driver& driver, CUstream stream,
                                                   Watchdog* watchdog);

  /// One launch to execute on one set.
  struct Turn {
    const LaunchFunction* launch = nullptr;
    int set = 0;
    int entries = 1;  ///< of the device's launch queue that it takes: kernels, fills, copies
    /// May be null. A set that is prepared is launched on once before it is prepared again.
    const Preparation* before = nullptr;
  };

  /// Launches as they come, one event pair each: for first launches, which may load code and must
  /// not be held back. Milliseconds of each.
  Ran<std::vector<double>> TimeUnheld(std::span<const Turn> turns, const LaunchLimits& limits);

  /// As TimeUnheld, but the stream is held until a batch of launches has been queued, so that short
  /// kernels are not measured together with the gaps of the launching thread. Every launch function
  /// must have run before: one that loads code behind a held stream would wait for ever.
  Ran<std::vector<double>> TimeEach(std::span<const Turn> turns, const LaunchLimits& limits);

  /// `count` launches between two events, all on set `set`. Milliseconds of the whole.
  Ran<double> TimeLoop(const LaunchFunction& launch, int count, int set,
                       const LaunchLimits& limits);

  /// Loops of `count` launches back to back, without a gap between loops, sets rotated, until they
  /// come to `wall_ms` of device time. Milliseconds of each loop.
  Ran<std::vector<double>> TimeLoops(const LaunchFunction& launch, int count, int sets,
                                     double wall_ms, const LaunchLimits& limits);

  CUstream stream() const { return stream_; }

  /// Called while the device is busy with a held batch or a loop: the moment to read clocks.
  void OnBusy(std::function<void()> hook) { on_busy_ = std::move(hook); }

 private:
  Stopwatch(const Driver& driver, CUstream stream, Watchdog* watchdog)
      : driver_(driver), stream_(stream), watchdog_(watchdog) {}

  Ran<std::vector<double>> TimeBatch(std::span<const Turn> turns, const LaunchLimits& limits,
                                     bool hold);
  Ran<void> PrepareBatch(std::span<const Turn> turns);
  Ran<void> QueueBatch(std::span<const Turn> turns);
  Ran<void> Hold();
  void Release();
  Ran<void> Record(std::size_t event);
  Ran<void> Await(std::size_t event, SteadyTime deadline, double limit_ms);
  Ran<double> Between(std::size_t first, std::size_t last);

  const Driver& driver_;
  CUstream stream_;
  Watchdog* watchdog_;
  std::vector<Event> events_;
  PinnedBuffer gate_;  ///< one 32-bit word that a held stream waits for
  std::uint32_t gate_value_ = 0;
  std::function<void()> on_busy_;
};

}  // namespace croq::runner
