#include "croq/tune/round_records.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace croq::tune {
namespace {

void ReadRules(const std::string& text, ClosedRound& round) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return;
  round.structural = json.value("structural", false);
  round.structural_offered = json.value("structural_offered", false);
  round.failed_builds = json.value("failed_builds", 0);
  round.deeper_look = json.value("deeper_look", false);
  const auto bases = json.find("bases");
  if (bases == json.end() || !bases->is_array()) return;
  for (const nlohmann::json& base : *bases) {
    if (base.is_string()) round.bases.push_back(base.get<std::string>());
  }
}

/// What each iteration or attempt wrote, by its name in idea-log.jsonl.
Result<std::map<std::string, std::string>> WrittenScripts(const journal::Queries& read) {
  std::map<std::string, std::string> configs;
  CROQ_ASSIGN(const std::vector<Iteration> iterations, read.Iterations());
  for (const Iteration& one : iterations) configs[IterationName(one.number)] = one.config;
  CROQ_ASSIGN(const std::vector<Attempt> attempts, read.Attempts());
  for (const Attempt& one : attempts) configs[AttemptName(one.number)] = one.config;
  return configs;
}

}  // namespace

nlohmann::json RulesJson(const ClosedRound& round) {
  return {{"bases", round.bases},
          {"structural", round.structural},
          {"structural_offered", round.structural_offered},
          {"failed_builds", round.failed_builds},
          {"deeper_look", round.deeper_look}};
}

Result<std::vector<ClosedRound>> ReadRounds(const journal::Queries& read) {
  CROQ_ASSIGN(const std::vector<journal::Idea> ideas, read.Ideas());
  CROQ_ASSIGN(const std::vector<journal::TriedConfig> tried, read.TriedConfigs());
  CROQ_ASSIGN(const auto written, WrittenScripts(read));
  std::map<int, std::set<std::string>> settings;
  for (const journal::TriedConfig& one : tried) {
    if (one.outcome != Outcome::kConstraints) settings[one.round].insert(one.config);
  }
  std::vector<ClosedRound> rounds;
  for (const journal::Idea& idea : ideas) {
    if (idea.round == 0) continue;
    ClosedRound round;
    round.round = idea.round;
    round.base = idea.base;
    round.idea = idea.idea_id;
    // An attempt has no verdict: it is neither kept nor discarded.
    const bool attempt = idea.iter.starts_with("attempt");
    round.decision = attempt ? Decision::kNone : idea.decision;
    ReadRules(idea.rules, round);
    if (!round.idea.empty()) {
      std::set<std::string> own = settings[round.round];
      if (const auto one = written.find(idea.iter); one != written.end()) own.insert(one->second);
      round.settings.assign(own.begin(), own.end());
    }
    rounds.push_back(std::move(round));
  }
  return rounds;
}

std::vector<profile::IdeaRecord> AddRecords(std::vector<profile::IdeaRecord> before,
                                            const std::vector<ClosedRound>& rounds) {
  for (const ClosedRound& round : rounds) {
    if (round.idea.empty()) continue;
    auto found = std::ranges::find(before, round.idea, &profile::IdeaRecord::idea);
    if (found == before.end()) found = before.insert(before.end(), {round.idea, 0, 0});
    ++found->tries;
    if (round.decision == Decision::kKeep) ++found->hits;
  }
  return before;
}

}  // namespace croq::tune
