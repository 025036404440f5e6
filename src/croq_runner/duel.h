#pragma once

#include "croq/model/runner_messages.h"
#include "croq_runner/bench.h"

namespace croq::runner {

/// Half of the ratio's 99% interval, over the ratio, at which a duel ends.
inline constexpr double kDuelHalfWidth = 0.003;

/// Times candidate and reference in interleaved pairs, cold: every launch on the next input set,
/// the one that goes first alternating from pair to pair. Ends at min_pairs once the interval is
/// narrow enough, at max_pairs, or at the first batch past max_wall_ms. The bench must be prepared.
/// As for a trial, a sticky or timed-out reply must be the process's last.
DuelReply RunDuel(Bench& bench, const DuelRequest& request);

}  // namespace croq::runner
