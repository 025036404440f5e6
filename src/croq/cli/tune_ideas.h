#pragma once

#include <memory>
#include <optional>
#include <string>

#include "croq/backend/ncu_profiler.h"
#include "croq/backend/replay_profiler.h"
#include "croq/cli/tune_setup.h"
#include "croq/model/runner_messages.h"
#include "croq/model/session_paths.h"
#include "croq/model/shape_key.h"
#include "croq/tune/idea_settings.h"
#include "croq/tune/script_host.h"

namespace croq::cli {

/// Where a session's counters come from between its rounds: ncu on recorded plans in a croq-runner
/// of its own, the faster route.
struct RoundCounters {
  std::string none;  ///< why there are none; empty where there are
  std::unique_ptr<backend::NcuProfiler> profiler;
  std::unique_ptr<backend::ReplayProfiler> source;
};

/// What was measured of the device at a session's begin.
struct MeasuredDevice {
  PrepareRequest prepare;    ///< of the session's runner; without a shape where there is none
  profile::Ceilings ceilings;
};

/// `host` and `setup` outlive it.
RoundCounters MakeRoundCounters(const TuneSetup& setup, const SessionPaths& paths,
                                const MeasuredDevice& measured, tune::ScriptHost& host);

/// What rounds that follow ideas work with; nothing where the strategy that was asked for is to
/// have every round. `counters` outlives it.
std::optional<tune::IdeaSettings> MakeIdeaSettings(const TuneSetup& setup,
                                                   const SessionPaths& paths,
                                                   const ShapeKey& shape,
                                                   const MeasuredDevice& measured,
                                                   const RoundCounters& counters);

}  // namespace croq::cli
