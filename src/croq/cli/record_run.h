#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "croq/cli/tune_setup.h"
#include "croq/model/recording.h"

namespace croq::cli {

struct RecordOptions {
  std::filesystem::path file;  ///< written every few seconds, whole or not at all
  std::int64_t limit = 0;      ///< draws so many of the space with `seed`; 0: all of it
  std::uint64_t seed = 1;
};

/// Measures the recorded part of a problem's space on the setup's GPU, each configuration once and in
/// full (none is abandoned for being slow). An interrupt ends it early; what was measured stays, and
/// the recording is not whole. Where the file is a part of the same recording (shape, space, GPU,
/// Triton), it goes on with it; a usage error where it is anything else.
Result<Recording> Record(TuneSetup& setup, const ShapeKey& shape, const RecordOptions& options,
                         const std::atomic<bool>& interrupted);

}  // namespace croq::cli
