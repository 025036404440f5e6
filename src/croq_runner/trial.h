#pragma once

#include "croq/model/runner_messages.h"
#include "croq_runner/bench.h"

namespace croq::runner {

/// Loads the plan, runs it on poisoned output and checks it, then times it in the cold regime. The
/// bench must be prepared, and set 0 have a reference. A reply that is sticky or timed out leaves the device unusable: the
/// process must end without touching it again.
///
/// A plan that changes its inputs is reported as wrong and sticky: nothing measured after it on
/// these operands could be trusted.
TrialReply RunTrial(Bench& bench, const TrialRequest& request);

}  // namespace croq::runner
