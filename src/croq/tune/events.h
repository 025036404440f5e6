#pragma once

#include <nlohmann/json_fwd.hpp>

#include "croq/model/iteration.h"
#include "croq/tune/evaluator.h"

/// Event payloads, as docs/events.md documents them.
namespace croq::tune {

nlohmann::json ToJson(const Iteration& iteration);
nlohmann::json ToJson(const Attempt& attempt);
nlohmann::json ToJson(const Ratio& ratio);

}  // namespace croq::tune
