#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "croq/base/clock.h"
#include "croq/tune/observer.h"

namespace croq::cli {

/// How `croq tune` shows what it does.
enum class Presentation {
  kTerminal,  ///< milestones as lines, and one live line below them
  kPlain,     ///< milestones as lines, and a progress line every ten seconds
  kJson,      ///< one JSON object a line (docs/events.md)
};

/// Writes to `out`, which stays open. `session` is named in every JSON event.
std::unique_ptr<tune::Observer> MakeTuneObserver(Presentation presentation, std::FILE* out,
                                                 std::string session);

/// "round 1: screening  312 trials, 41.2/s  best 702.1 TFLOPS, 1.013 of cuBLAS  38 s left".
std::string FormatProgress(const tune::Progress& progress);

}  // namespace croq::cli
