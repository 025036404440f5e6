#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "croq/tune/idea_rounds.h"
#include "croq/tune/round_records.h"

/// What is kept of a round beside its iteration.
namespace croq::tune {
namespace {

std::string Described(const std::vector<profile::CounterChange>& changes) {
  std::vector<std::string> texts;
  for (const profile::CounterChange& one : changes) {
    if (!one.known) continue;
    texts.push_back(fmt::format("{} {:.4g} -> {:.4g} (expected {}{})", one.figure, one.before,
                                one.after, one.expected, one.as_expected ? "" : ": it did not"));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

nlohmann::json CountersJson(const std::vector<profile::CounterChange>& changes) {
  nlohmann::json json = nlohmann::json::array();
  for (const profile::CounterChange& one : changes) json.push_back(profile::ToJson(one));
  return json;
}

void CompleteIdea(const PlannedIdea& plan, const profile::KernelProfile* after,
                  const Standing* standing, bool base_is_best, journal::Idea& idea) {
  idea.idea_id = plan.idea->id;
  idea.base = plan.base;
  idea.bottleneck = plan.before.bottleneck;
  idea.expected_gain = plan.ranked.expected_gain;
  if (standing != nullptr && base_is_best && standing->of_best.known()) {
    idea.actual_gain = standing->of_best.value;
  } else if (standing != nullptr && standing->cold_ms > 0 && plan.base_ms > 0) {
    idea.actual_gain = plan.base_ms / standing->cold_ms;
  }
  const profile::KernelProfile nothing;
  const auto changes =
      profile::CompareCounters(*plan.idea, plan.before, after == nullptr ? nothing : *after);
  idea.counters = CountersJson(changes).dump();
  if (const std::string text = Described(changes); !text.empty()) idea.actual += "; " + text;
}

}  // namespace

Origin IdeaRounds::OriginOf(const PlannedIdea& plan) const {
  std::vector<std::string> moves;
  for (const contract::FigureMove& one : plan.idea->changes) {
    moves.push_back(fmt::format("{} {}", one.figure, one.move));
  }
  Origin origin;
  origin.round = plan.record.round;
  origin.idea = fmt::format("{}: {}", plan.idea->id, plan.idea->text);
  origin.evidence = plan.ranked.evidence;
  origin.expected = fmt::format("{:.2f} times as fast; {}", plan.ranked.expected_gain,
                                fmt::join(moves, ", "));
  return origin;
}

Origin IdeaRounds::Complete(Origin origin, const PlannedIdea* plan, const Candidate& candidate,
                            std::function<double()> seconds_left) {
  origin.complete = [this, plan, &candidate, seconds_left = std::move(seconds_left)](
                        Iteration& iteration, const Standing* standing,
                        journal::Idea& idea) -> Status {
    written_.insert(candidate.config.Text());
    ClosedRound record = plan == nullptr ? ClosedRound{} : plan->record;
    idea.rules = RulesJson(record).dump();
    std::optional<profile::KernelProfile> after;
    if (standing != nullptr) {
      CROQ_ASSIGN(after, desk_.Of(candidate, {standing->cold_ms, screening_.sm_clock_mhz(),
                                              seconds_left(), iteration.number}));
      iteration.bottleneck = after->bottleneck;
    }
    if (plan == nullptr) {
      if (after) idea.bottleneck = after->bottleneck;
      return {};
    }
    const bool base_is_best = !plan->record.bases.empty() && plan->base == plan->record.bases.front();
    CompleteIdea(*plan, after ? &*after : nullptr, standing, base_is_best, idea);
    return {};
  };
  return origin;
}

}  // namespace croq::tune
