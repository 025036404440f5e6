#pragma once

#include <atomic>

namespace croq::cli {

/// From now on the first SIGINT or SIGTERM sets what is returned, asking for an orderly end; a second
/// one ends croq at once (130). What is stored stays whole either way. Broken pipes become errors of
/// write.
const std::atomic<bool>& CatchInterrupts();

}  // namespace croq::cli
