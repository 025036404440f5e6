#pragma once

#include <atomic>
#include <filesystem>

#include "croq/base/result.h"
#include "croq/cli/tune_setup.h"
#include "croq/model/shape_key.h"
#include "croq/tune/session.h"

namespace croq::cli {

/// Tunes one problem from opening its journal to the closing table. The exit code: done, no kernel
/// found, or interrupted.
Result<int> TuneOneShape(TuneSetup& setup, const ShapeKey& shape,
                         const std::atomic<bool>& interrupted);

/// The same for a kernel that a person brought.
Result<int> TuneOneFile(TuneSetup& setup, const std::filesystem::path& file,
                        const std::atomic<bool>& interrupted);

}  // namespace croq::cli
