#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "croq/base/result.h"
#include "croq/journal/queries.h"
#include "croq/profile/ideas.h"
#include "croq/tune/round_rules.h"

/// Closed rounds as the journal holds them.
namespace croq::tune {

/// What goes into an idea's `rules` column: what no other column has.
nlohmann::json RulesJson(const ClosedRound& round);

/// The rounds that were stored, oldest first. A round's settings are its trials and what it wrote.
Result<std::vector<ClosedRound>> ReadRounds(const journal::Queries& read);

/// Tries and hits of each idea in the session's rounds, added to `before`.
std::vector<profile::IdeaRecord> AddRecords(std::vector<profile::IdeaRecord> before,
                                            const std::vector<ClosedRound>& rounds);

}  // namespace croq::tune
