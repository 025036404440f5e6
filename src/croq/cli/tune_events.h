#pragma once

#include <nlohmann/json_fwd.hpp>

#include "croq/cli/tune_setup.h"
#include "croq/model/session_paths.h"
#include "croq/model/shape_key.h"
#include "croq/tune/baseline_stage.h"
#include "croq/tune/session.h"

/// Payloads of the events that the command itself emits (docs/events.md).
namespace croq::cli {

nlohmann::json BudgetJson(const tune::Budget& budget);

/// `bars`.
nlohmann::json BarsJson(const ShapeKey& shape, const tune::Baseline& bars);

/// `started`, without `resumed` and `seed`, which the session knows.
nlohmann::json StartedJson(const TuneSetup& setup, const SessionPaths& paths);

}  // namespace croq::cli
