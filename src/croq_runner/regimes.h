#pragma once

#include "croq/model/runner_messages.h"
#include "croq_runner/bench.h"

namespace croq::runner {

/// Times one subject in one regime.
///  - contract: 10 warm-up + 50 launches in one loop between two events, input set 0; one sample.
///  - cold: 50 launches, one event pair each, input sets rotated; 50 samples.
///  - sustained: loops of about 50 ms back to back for at least a second, input sets rotated; one
///    sample a loop.
/// Samples are milliseconds a launch. The bench must be prepared. As for a trial, a sticky or
/// timed-out reply must be the process's last.
TimeReply RunTime(Bench& bench, const TimeRequest& request);

}  // namespace croq::runner
