#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "croq/cli/iteration_facts.h"

namespace croq::cli {

/// Two iterations side by side: configuration, figures, counters, SASS and source.
std::string FormatDiff(const IterationFacts& before, const IterationFacts& after);
nlohmann::json DiffJson(const IterationFacts& before, const IterationFacts& after);

/// A figure of the vocabulary with its unit, as explain, diff and profile all print it.
std::string FigureText(std::string_view name, double value);

/// "memory_bound (l2)".
std::string VerdictText(const profile::KernelProfile& profile);

/// The unified diff of both scripts.
std::string SourceDiff(const IterationFacts& before, const IterationFacts& after);

}  // namespace croq::cli
