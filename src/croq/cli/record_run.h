#pragma once

#include <atomic>
#include <cstdint>

#include "croq/cli/tune_setup.h"
#include "croq/model/recording.h"

namespace croq::cli {

/// Measures the recorded part of a problem's space on the setup's GPU, each configuration once and in
/// full (none is abandoned for being slow). `limit`: draws so many of it with `seed`; 0: all of it.
/// An interrupt ends it early; what was measured stays, and the recording is not whole.
Result<Recording> Record(TuneSetup& setup, const ShapeKey& shape, std::int64_t limit,
                         std::uint64_t seed, const std::atomic<bool>& interrupted);

}  // namespace croq::cli
