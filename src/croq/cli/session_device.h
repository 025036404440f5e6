#pragma once

#include "croq/base/result.h"
#include "croq/journal/queries.h"
#include "croq/model/device.h"

namespace croq::cli {

/// The device that a session was made for, as far as the journal has it (fact "device"); the rest
/// is what offline mode models.
Result<DeviceFacts> SessionDevice(const journal::Queries& read);

}  // namespace croq::cli
