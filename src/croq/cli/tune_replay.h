#pragma once

#include <atomic>

#include "croq/cli/tune_arguments.h"

namespace croq::cli {

/// `croq tune KEY --device replay:FILE`: a search on recorded times, in no time. Its journal lies
/// under the GPU key `replay_<key>`, so that no recorded figure stands among measured ones.
Result<int> TuneReplay(const TuneArguments& arguments, const TuneRequest& request,
                       const std::atomic<bool>& interrupted);

}  // namespace croq::cli
