#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "croq/cli/tune_setup.h"
#include "croq/model/session_paths.h"
#include "croq/model/shape_key.h"
#include "croq/tune/session.h"

namespace croq::cli {

/// The table that ends a run: best kernel, rate, share of cuBLAS with its interval, where the file
/// is, how to run it. `figures`: a brought file's (BroughtRun::Figures), null otherwise.
std::string FormatSummary(const TuneSetup& setup, const ShapeKey& shape, const SessionPaths& paths,
                          const tune::RunSummary& summary, const nlohmann::json& figures);

/// Where the time of screening went, for `finished` (docs/events.md).
nlohmann::json AccountJson(const tune::ScreenAccount& account);

/// The event `finished` (docs/events.md).
nlohmann::json SummaryJson(const TuneSetup& setup, const ShapeKey& shape, const SessionPaths& paths,
                           const tune::RunSummary& summary);

}  // namespace croq::cli
