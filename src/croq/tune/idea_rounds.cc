#include "croq/tune/idea_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "croq/profile/floor.h"
#include "croq/search/idea_configs.h"
#include "croq/tune/round_records.h"

namespace croq::tune {
namespace {

// What an idea may screen: a few seconds on a GPU.
constexpr std::size_t kMostConfigs = 64;
// Known kernels of another variant that a change of structure starts from, too.
constexpr std::size_t kSeeds = 3;
// Of the ranking, shown with the choice.
constexpr std::size_t kShown = 5;

search::IdeaMove MoveOf(const contract::Idea& idea) {
  return {idea.levers, idea.move, idea.with, idea.variants};
}

}  // namespace

Status IdeaRounds::Restore() {
  CROQ_ASSIGN(rounds_, ReadRounds(session_.journal.read()));
  for (const ClosedRound& round : rounds_) rules_.Close(round);
  CROQ_ASSIGN(const std::vector<Iteration> iterations, session_.journal.read().Iterations());
  for (const Iteration& one : iterations) written_.insert(one.config);
  CROQ_ASSIGN(const std::vector<Attempt> attempts, session_.journal.read().Attempts());
  for (const Attempt& one : attempts) written_.insert(one.config);
  CROQ_ASSIGN(const auto tried, session_.journal.read().TriedConfigs());
  for (const journal::TriedConfig& one : tried) screening_.MarkTried(one.config);
  return {};
}

Result<std::vector<KnownKernel>> IdeaRounds::Bases(const std::string& best) const {
  std::vector<KnownKernel> known;
  CROQ_ASSIGN(const std::vector<Iteration> iterations, session_.journal.read().Iterations());
  for (const Iteration& one : iterations) {
    if (one.number == 0 || !one.verified) continue;
    CROQ_ASSIGN(const Config config, ParseConfig(one.config));
    known.push_back({one.config, config.variant, one.cold_ms > 0 ? one.cold_ms : one.time_ms});
  }
  for (const auto& [config, ms] : screening_.board().Times()) {
    known.push_back({config.Text(), config.variant, ms});
  }
  return ActiveBases(known, best);
}

Result<std::optional<Candidate>> IdeaRounds::CandidateOf(const std::string& config,
                                                         const Candidate& best) {
  if (config == best.config.Text()) return best;
  CROQ_ASSIGN(const Config parsed, ParseConfig(config));
  CROQ_ASSIGN(std::vector<Built> built, pipeline_.BuildNow({parsed}));
  if (built.front().outcome != Outcome::kCorrect) return std::nullopt;
  return std::move(built.front().candidate);
}

std::vector<Config> IdeaRounds::SeedsOf(const Config& base) const {
  std::vector<Config> seeds;
  for (const auto& [config, ms] : screening_.board().Times()) {
    if (seeds.size() == kSeeds) break;
    if (config.variant != base.variant) seeds.push_back(config);
  }
  return seeds;
}

std::vector<IdeaRounds::Offered> IdeaRounds::OffersOn(const Config& base,
                                                      const profile::KernelProfile& before) {
  const SearchSpace& space = session_.factory.Space();
  const profile::IdeaTarget target{std::string(session_.shape.OperatorWord()), session_.shape.dtype,
                                   session_.device.compute_capability, space, base};
  const auto history = AddRecords(settings_.history, rounds_);
  std::vector<Offered> offers;
  for (profile::RankedIdea& ranked : profile::RankIdeas(session_.contract, target, before, history)) {
    if (!ranked.applicable) continue;
    Offered one;
    one.offer = {base.Text(), ranked.idea->id, ranked.idea->structural, ranked.score, {}};
    for (Config& config : search::IdeaConfigs(space, base, MoveOf(*ranked.idea), SeedsOf(base),
                                              settings_.predict, kMostConfigs)) {
      const std::string text = config.Text();
      if (written_.contains(text)) continue;
      one.offer.settings.push_back(text);
      one.plan.scope.insert(text);
      if (!screening_.Tried(text)) one.plan.configs.push_back(std::move(config));
    }
    one.plan.idea = ranked.idea;
    one.plan.ranked = std::move(ranked);
    if (one.plan.configs.empty()) continue;
    offers.push_back(std::move(one));
  }
  return offers;
}

Result<std::optional<PlannedIdea>> IdeaRounds::PlanOn(const KnownKernel& base,
                                                      const Candidate& best,
                                                      const ClosedRound& record,
                                                      double seconds_left) {
  CROQ_ASSIGN(const std::optional<Candidate> candidate, CandidateOf(base.config, best));
  if (!candidate) return std::nullopt;
  Result<profile::KernelProfile> before =
      desk_.Of(*candidate, base.cold_ms, screening_.sm_clock_mhz(), seconds_left);
  if (base.config != best.config.Text()) pipeline_.cubins().Release(candidate->plan);
  CROQ_TRY(before);
  std::vector<Offered> offers = OffersOn(candidate->config, *before);
  std::vector<Offer> bare;
  for (const Offered& one : offers) bare.push_back(one.offer);
  const std::optional<Choice> choice = rules_.Choose(bare);
  if (!choice) return std::nullopt;
  const auto chosen = std::ranges::find_if(offers, [&](const Offered& one) {
    return one.offer.idea == choice->offer.idea;
  });
  PlannedIdea plan = chosen->plan;
  plan.base = base.config;
  plan.base_ms = base.cold_ms;
  plan.before = *before;
  plan.record = record;
  plan.record.base = base.config;
  plan.record.idea = plan.idea->id;
  plan.record.structural = plan.idea->structural;
  plan.record.structural_offered = choice->structural_offered;
  Announce(plan, offers);
  return plan;
}

Result<std::optional<PlannedIdea>> IdeaRounds::Plan(int round, const Candidate& best,
                                                    double seconds_left) {
  CROQ_ASSIGN(const std::vector<KnownKernel> bases, Bases(best.config.Text()));
  ClosedRound record;
  record.round = round;
  for (const KnownKernel& base : bases) record.bases.push_back(base.config);
  if (rules_.Next() == Step::kLookDeeper) {
    CROQ_TRY(LookDeeper(round, best));
    record.deeper_look = true;
  }
  const std::string first = rules_.BaseOf(bases);
  std::vector<KnownKernel> order = bases;
  std::ranges::stable_sort(order, {}, [&](const KnownKernel& one) { return one.config != first; });
  // While a switch is asked for, the base that was left is no way out.
  if (rules_.Next() == Step::kSwitchBase && order.size() > 1) order.resize(1);
  for (const KnownKernel& base : order) {
    CROQ_ASSIGN(std::optional<PlannedIdea> plan, PlanOn(base, best, record, seconds_left));
    if (plan) return plan;
  }
  return std::nullopt;
}

Status IdeaRounds::LookDeeper(int round, const Candidate& best) {
  nlohmann::json event{{"round", round}, {"discards", rules_.DiscardRow()}};
  if (settings_.deeper_look) {
    const Result<nlohmann::json> seen = settings_.deeper_look(best);
    event["seen"] = seen ? *seen : nlohmann::json{{"problem", seen.error().message}};
    CROQ_TRY(session_.journal.SetFact(fmt::format("deeper_look_round{:03}", round), event));
  }
  session_.observer.OnEvent("deeper_look", event);
  return {};
}

void IdeaRounds::Announce(const PlannedIdea& plan, const std::vector<Offered>& offers) {
  nlohmann::json ranking = nlohmann::json::array();
  for (std::size_t i = 0; i < std::min(kShown, offers.size()); ++i) {
    ranking.push_back({{"idea", offers[i].offer.idea}, {"score", offers[i].offer.score}});
  }
  session_.observer.OnEvent("idea", {{"round", plan.record.round},
                                     {"idea", plan.idea->id},
                                     {"text", plan.idea->text},
                                     {"base", plan.base},
                                     {"bottleneck", plan.before.bottleneck},
                                     {"evidence", plan.ranked.evidence},
                                     {"expected_gain", plan.ranked.expected_gain},
                                     {"structural", plan.record.structural},
                                     {"configurations", plan.configs.size()},
                                     {"ranking", std::move(ranking)}});
}

Status IdeaRounds::Screen(PlannedIdea& plan, const ScreenLimits& limits) {
  strategy_.emplace(plan.idea->id, plan.configs, rules_);
  const Status status =
      screening_.RunIdea(*strategy_, plan.scope, plan.record.round, limits);
  plan.record.failed_builds = rules_.FailedBuilds(plan.idea->id);
  for (const Config& config : plan.configs) {
    const std::string text = config.Text();
    if (screening_.Tried(text)) plan.record.settings.push_back(text);
  }
  return status;
}

IdeaStrategy::Failure IdeaRounds::FailureOf(const PlannedIdea& plan) const {
  if (strategy_ && strategy_->first_failure()) return *strategy_->first_failure();
  return {plan.configs.front(), Outcome::kConstraints};
}

const char* IdeaRounds::Ended(double best_ms) const {
  if (rules_.Next() == Step::kLocalOptimum) return "local optimum";
  if (session_.evaluator.Predicted()) return nullptr;
  const double floor_ms =
      profile::FloorMillis(session_.device, session_.shape, screening_.sm_clock_mhz());
  return rules_.AtRoofline(floor_ms, best_ms) ? "roofline" : nullptr;
}

void IdeaRounds::Close(ClosedRound record, Decision decision) {
  record.decision = decision;
  rules_.Close(record);
  rounds_.push_back(std::move(record));
  session_.observer.OnEvent("rules", ToJson(Report()));
}

}  // namespace croq::tune
