#include "croq/tune/idea_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "croq/tune/round_records.h"

namespace croq::tune {
namespace {

// What an idea may screen: a few seconds on a GPU.
constexpr std::size_t kMostConfigs = 64;
// Known kernels of another variant that a change of structure starts from, too.
constexpr std::size_t kSeeds = 3;
// Of the ranking, shown with the choice.
constexpr std::size_t kShown = 5;

}  // namespace

search::IdeaMove MoveOf(const contract::Idea& idea) {
  return {idea.levers, idea.move, idea.with, idea.variants};
}

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
    known.push_back({one.config, config.variant, one.KernelMillis()});
  }
  for (const auto& [config, ms] : screening_.board().Times()) {
    known.push_back({config.Text(), config.variant, ms});
  }
  return ActiveBases(known, best);
}

Result<std::optional<profile::KernelProfile>> IdeaRounds::ProfileOf(const KnownKernel& base,
                                                                    const Candidate& best,
                                                                    double seconds_left) {
  const int clock = screening_.sm_clock_mhz();
  if (base.config == best.config.Text()) {
    CROQ_ASSIGN(profile::KernelProfile own, desk_.Of(best, {base.cold_ms, clock, seconds_left}));
    return own;
  }
  CROQ_ASSIGN(std::optional<profile::KernelProfile> known, desk_.Known(base.config, seconds_left));
  if (known) return known;
  CROQ_ASSIGN(const Config config, ParseConfig(base.config));
  CROQ_ASSIGN(std::vector<Built> built, pipeline_.BuildNow({config}));
  if (built.front().outcome != Outcome::kCorrect) return std::nullopt;
  const Candidate& candidate = built.front().candidate;
  Result<profile::KernelProfile> taken = desk_.Of(candidate, {base.cold_ms, clock, seconds_left});
  pipeline_.cubins().Release(candidate.plan);
  CROQ_TRY(taken);
  return *std::move(taken);
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
                                                      const profile::KernelProfile& before,
                                                      bool any_verdict) {
  const SearchSpace& space = session_.factory.Space();
  const profile::IdeaTarget target{std::string(session_.shape.OperatorWord()),
                                   session_.shape.dtype,
                                   session_.device.compute_capability,
                                   space,
                                   base,
                                   any_verdict};
  const auto history = AddRecords(settings_.history, rounds_);
  std::vector<Offered> offers;
  std::vector<profile::RankedIdea> ranking =
      profile::RankIdeas(session_.contract, target, before, history);
  for (profile::RankedIdea& ranked : ranking) {
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
                                                      double seconds_left, bool any_verdict) {
  CROQ_ASSIGN(const std::optional<profile::KernelProfile> before,
              ProfileOf(base, best, seconds_left));
  if (!before) return std::nullopt;
  CROQ_ASSIGN(const Config config, ParseConfig(base.config));
  std::vector<Offered> offers = OffersOn(config, *before, any_verdict);
  std::vector<Offer> bare;
  for (const Offered& one : offers) bare.push_back(one.offer);
  const std::optional<Choice> choice = rules_.Choose(bare);
  if (!choice) return std::nullopt;
  const auto chosen = std::ranges::find_if(offers, [&](const Offered& one) {
    return one.offer.idea == choice->offer.idea;
  });
  PlannedIdea plan = chosen->plan;
  // What this idea had on this base before is not to win for it again.
  plan.scope = {choice->offer.settings.begin(), choice->offer.settings.end()};
  plan.base = base.config;
  plan.base_ms = base.cold_ms;
  plan.before = *before;
  plan.record = record;
  plan.record.base = base.config;
  plan.record.idea = plan.idea->id;
  plan.record.structural = plan.idea->structural;
  plan.record.structural_offered = choice->structural_offered;
  for (const Offered& one : offers) plan.ranking.emplace_back(one.offer.idea, one.offer.score);
  return plan;
}

Result<std::optional<PlannedIdea>> IdeaRounds::Plan(int round, const Candidate& best,
                                                    double seconds_left) {
  CROQ_ASSIGN(const std::vector<KnownKernel> bases, Bases(best.config.Text()));
  ClosedRound record;
  record.round = round;
  for (const KnownKernel& base : bases) record.bases.push_back(base.config);
  if (rules_.Next() == Step::kLookDeeper) {
    CROQ_TRY(LookDeeper(round, best, seconds_left));
    record.deeper_look = true;
  }
  const std::string first = rules_.BaseOf(bases);
  std::vector<KnownKernel> order = bases;
  std::ranges::stable_sort(order, {}, [&](const KnownKernel& one) { return one.config != first; });
  // While a switch is asked for, the base that was left is no way out.
  if (rules_.Next() == Step::kSwitchBase && order.size() > 1) order.resize(1);
  const auto on_any = [&](bool any_verdict) -> Result<std::optional<PlannedIdea>> {
    for (const KnownKernel& base : order) {
      CROQ_ASSIGN(std::optional<PlannedIdea> plan,
                  PlanOn(base, best, record, seconds_left, any_verdict));
      if (plan) return plan;
    }
    return std::nullopt;
  };
  CROQ_ASSIGN(std::optional<PlannedIdea> plan, on_any(false));
  if (!plan || (rules_.StructuralDue() && !plan->record.structural)) {
    CROQ_ASSIGN(std::optional<PlannedIdea> other, on_any(true));
    if (other && (!plan || other->record.structural)) plan = std::move(other);
  }
  if (plan) Announce(*plan);
  return plan;
}

Status IdeaRounds::LookDeeper(int round, const Candidate& best, double seconds_left) {
  nlohmann::json event{{"round", round}, {"discards", rules_.DiscardRow()}};
  CROQ_ASSIGN(const profile::KernelProfile own,
              desk_.Of(best, {0, screening_.sm_clock_mhz(), seconds_left}));
  event["counters"] = profile::ToJson(own);
  CROQ_ASSIGN(event["baseline_counters"], desk_.BaselineJson(seconds_left));
  if (settings_.sass) {
    const Result<nlohmann::json> sass = settings_.sass(best);
    event["sass"] = sass ? *sass : nlohmann::json{{"problem", sass.error().message}};
  }
  CROQ_TRY(session_.journal.SetFact(fmt::format("deeper_look_round{:03}", round), event));
  session_.observer.OnEvent("deeper_look", event);
  return {};
}

void IdeaRounds::Announce(const PlannedIdea& plan) {
  nlohmann::json ranking = nlohmann::json::array();
  for (std::size_t i = 0; i < std::min(kShown, plan.ranking.size()); ++i) {
    ranking.push_back({{"idea", plan.ranking[i].first}, {"score", plan.ranking[i].second}});
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
      settings_.FloorMillis(session_.device, session_.shape, screening_.sm_clock_mhz());
  return rules_.AtRoofline(floor_ms, best_ms) ? "roofline" : nullptr;
}

void IdeaRounds::Close(ClosedRound record, Decision decision) {
  record.decision = decision;
  rules_.Close(record);
  rounds_.push_back(std::move(record));
  session_.observer.OnEvent("rules", ToJson(Report()));
}

}  // namespace croq::tune
