#pragma once

#include <nlohmann/json_fwd.hpp>

#include "croq/model/iteration.h"
#include "croq/model/shape_key.h"
#include "croq/tune/evaluator.h"

/// Event payloads, as docs/events.md documents them.
namespace croq::tune {

/// `op` says what the iteration's ratio is of: cuBLAS, or a brought file's first configuration.
nlohmann::json ToJson(const Iteration& iteration, Operator op = Operator::kMatmul);
nlohmann::json ToJson(const Attempt& attempt);
nlohmann::json ToJson(const Ratio& ratio);

}  // namespace croq::tune
