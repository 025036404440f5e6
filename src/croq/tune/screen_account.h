#pragma once

#include <cstdint>

namespace croq::tune {

/// Where the wall time of screening went, in seconds. The parts are all of it but for a remainder of
/// loop and progress.
struct ScreenAccount {
  double propose = 0;    ///< the strategy, constraints, rendering, handing jobs to the builder
  double wait = 0;       ///< nothing was built yet that could be measured
  double judge = 0;      ///< the runner: loading, checking, timing, and the protocol
  double load = 0;       ///< of `judge`: cubins to the device, scratch, descriptors
  double check = 0;      ///< of `judge`: poison, one launch, the comparison, inputs unchanged
  double time = 0;       ///< of `judge`: the timed launches
  double record = 0;     ///< the strategy's Observe, the journal, events
  double wall = 0;
  double compile = 0;    ///< of all builds together, over all workers
  std::int64_t built = 0;   ///< builds that ended
  std::int64_t judged = 0;  ///< candidates that the runner judged
  std::int64_t shared = 0;  ///< compile jobs that an equal one answered
};

}  // namespace croq::tune
