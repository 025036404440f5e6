#pragma once

#include "croq/tune/pipeline.h"
#include "croq/tune/session.h"

namespace croq::tune {

/// Stores a candidate that was not built or not right as `attempt<AAAA>_<tag>`: its source, the
/// reason, the log. Tells the observer.
Result<Attempt> RecordAttempt(Session& session, const Built& built);

}  // namespace croq::tune
