#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "croq/contract/contract_json.h"
#include "croq/profile/ideas.h"

namespace croq::profile {
namespace {

// Two launches of one kernel in one export of an H200 differ by up to 0.3% in their throughputs.
constexpr double kNoise = 0.005;

}  // namespace

std::vector<CounterChange> CompareCounters(const contract::Idea& idea, const KernelProfile& before,
                                           const KernelProfile& after) {
  std::vector<CounterChange> changes;
  for (const contract::FigureMove& move : idea.changes) {
    CounterChange change;
    change.figure = move.figure;
    change.expected = move.move;
    const Figure* was = before.Find(move.figure);
    const Figure* is = after.Find(move.figure);
    if (was != nullptr && is != nullptr) {
      change.known = true;
      change.before = was->value;
      change.after = is->value;
      const double moved = is->value - was->value;
      const double least = kNoise * std::max(std::abs(was->value), std::abs(is->value));
      change.as_expected = std::abs(moved) > least && (moved > 0) == (move.move == "up");
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

nlohmann::json ToJson(const CounterChange& change) {
  nlohmann::json json{{"figure", change.figure}, {"expected", change.expected}};
  json["before"] = change.known ? nlohmann::json(change.before) : nlohmann::json(nullptr);
  json["after"] = change.known ? nlohmann::json(change.after) : nlohmann::json(nullptr);
  json["as_expected"] = change.known ? nlohmann::json(change.as_expected) : nlohmann::json(nullptr);
  return json;
}

nlohmann::json ToJson(const RankedIdea& ranked) {
  nlohmann::json json = *ranked.idea;
  json["applicable"] = ranked.applicable;
  json["tries"] = ranked.record.tries;
  json["hits"] = ranked.record.hits;
  if (!ranked.applicable) {
    json["reason"] = ranked.reason;
    return json;
  }
  json["evidence"] = ranked.evidence;
  json["expected_gain"] = ranked.expected_gain;
  json["score"] = ranked.score;
  return json;
}

}  // namespace croq::profile
