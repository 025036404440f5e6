#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "croq/base/clock.h"
#include "croq/base/result.h"
#include "croq/model/recording.h"
#include "croq/search/strategy.h"
#include "croq/tune/pipeline.h"
#include "croq/tune/runner.h"

namespace croq::tune {

/// Measures what a strategy proposes, each configuration once and in full (none is abandoned for
/// being slow), into a recording.
class Recorder {
 public:
  /// All outlive the recorder. `keep` is called every few seconds and where Run ends for any reason,
  /// so that what was measured is not lost; its error ends the run.
  Recorder(Runner& runner, Pipeline& pipeline, Recording& recording,
           const std::atomic<bool>& interrupted, std::function<Status()> keep)
      : runner_(runner), pipeline_(pipeline), recording_(recording), interrupted_(interrupted),
        keep_(std::move(keep)) {}

  /// Until the strategy has nothing more to propose (then the recording is whole, unless `limit`
  /// drew a part), the recording has `limit` trials (0: no limit), or an interrupt. `in_flight`:
  /// candidates built ahead. The rows that the recording has already are not measured again.
  Status Run(search::Strategy& strategy, int in_flight, std::int64_t limit);

 private:
  Status Loop(search::Strategy& strategy, int in_flight, std::int64_t limit);
  Status Measure(Built built);

  Runner& runner_;
  Pipeline& pipeline_;
  Recording& recording_;
  const std::atomic<bool>& interrupted_;
  std::function<Status()> keep_;
  SteadyTime kept_ = std::chrono::steady_clock::now();
};

}  // namespace croq::tune
