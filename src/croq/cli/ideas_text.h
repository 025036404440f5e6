#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "croq/contract/contract.h"
#include "croq/profile/ideas.h"

namespace croq::cli {

/// The ranking for one kernel: what applies with its evidence and expected gain, then what does
/// not, with the reasons.
std::string FormatRanking(const std::vector<profile::RankedIdea>& ranking);
nlohmann::json RankingJson(const std::vector<profile::RankedIdea>& ranking);

/// The menu's entries for a bottleneck, without a kernel: what each moves, what speaks for and
/// against it, and its first guess of the gain.
std::string FormatMenu(const contract::Contract& contract, const std::string& bottleneck);
nlohmann::json MenuJson(const contract::Contract& contract, const std::string& bottleneck);

}  // namespace croq::cli
