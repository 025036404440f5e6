#pragma once

#include <nlohmann/json.hpp>

#include "croq_runner/dispatch.h"

namespace croq::runner {

/// A reply, and whether it must be the last.
struct Dispatcher::Answer {
  nlohmann::json reply;
  int exit_code = 0;  ///< above 0: reply, then end the process at once
};

}  // namespace croq::runner
