#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "croq/tune/round_rules.h"

namespace croq::tune {

/// The rules' counters of a session, and what was broken (nothing, if croq keeps its rules).
struct RuleReport {
  int rounds = 0;
  int idea_rounds = 0;
  int structural_rounds = 0;
  int structural_due = 0;            ///< rounds that followed two lever-only ones
  int structural_none_left = 0;      ///< of those: no structural idea could be tried
  int longest_lever_row = 0;
  int combinations = 0;              ///< (base, idea, setting)
  int repeated_combinations = 0;
  int kept = 0;
  int discarded = 0;
  int discard_row = 0;               ///< at the end
  int longest_discard_row = 0;
  int deeper_looks = 0;
  int base_switches = 0;
  std::vector<std::string> ideas;    ///< tried, in order, each once
  std::vector<std::string> abandoned;
  std::vector<std::string> broken;   ///< sentences
};

/// Goes through the rounds alone, without the code that chose them.
RuleReport AuditRounds(const std::vector<ClosedRound>& rounds, const RuleLimits& limits = {});

nlohmann::json ToJson(const RuleReport& report);

}  // namespace croq::tune
