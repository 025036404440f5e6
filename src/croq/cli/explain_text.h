#pragma once

#include <optional>
#include <string>

#include "croq/cli/iteration_facts.h"

/// Pages for a person, in Markdown.
namespace croq::cli {

/// What was seen, what was tried, why, what moved, and the difference to the parent (null: none).
std::string ExplainIteration(const IterationFacts& facts, const IterationFacts* parent);

/// The table of an idea's counters, before and after; empty where there are none.
std::string CounterTable(const journal::Idea& idea);

/// Cells of a Markdown table row.
std::string MarkdownRow(const std::vector<std::string>& cells);

}  // namespace croq::cli
