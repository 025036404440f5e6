#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "croq/cli/iteration_facts.h"

namespace croq::cli {

/// Two iterations side by side: configuration, figures, counters, SASS and source.
std::string FormatDiff(const IterationFacts& before, const IterationFacts& after);
nlohmann::json DiffJson(const IterationFacts& before, const IterationFacts& after);

/// The unified diff of both scripts.
std::string SourceDiff(const IterationFacts& before, const IterationFacts& after);

}  // namespace croq::cli
