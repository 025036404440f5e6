#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "croq/search/idea_configs.h"
#include "croq/tune/idea_strategy.h"
#include "croq/tune/iteration_writer.h"
#include "croq/tune/pipeline.h"
#include "croq/tune/profile_desk.h"
#include "croq/tune/round_audit.h"
#include "croq/tune/screening.h"

namespace croq::tune {

/// What an entry of the menu may change of a kernel, as the search takes it.
search::IdeaMove MoveOf(const contract::Idea& idea);

/// An idea that a round is going to try.
struct PlannedIdea {
  const contract::Idea* idea = nullptr;
  std::string base;                    ///< configuration
  double base_ms = 0;                  ///< cold; 0: not known
  profile::KernelProfile before;       ///< of the base
  profile::RankedIdea ranked;
  std::vector<Config> configs;         ///< to be screened
  std::set<std::string> scope;         ///< those and the ones that were screened before
  ClosedRound record;                  ///< as far as it is known
  std::vector<std::pair<std::string, double>> ranking;  ///< what could be tried, with its score

  /// Something that was screened before may be what the round writes.
  void AddSetting(const std::string& config) {
    if (std::ranges::find(record.settings, config) == record.settings.end())
      record.settings.push_back(config);
  }
};

/// The rounds that follow an idea: which, on which base, and what is kept of them. RoundLoop runs
/// them; without IdeaSettings in the session there are none.
class IdeaRounds {
 public:
  IdeaRounds(Session& session, const IdeaSettings& settings, Pipeline& pipeline,
             Screening& screening)
      : session_(session), settings_(settings), pipeline_(pipeline), screening_(screening),
        desk_(session, settings), rules_(settings.limits) {}

  /// Takes up what the session's earlier rounds left to the rules.
  Status Restore();
  /// The next round's idea; nothing where no idea is left to try. `seconds_left` below 0: no limit.
  Result<std::optional<PlannedIdea>> Plan(int round, const Candidate& best, double seconds_left);
  Status Screen(PlannedIdea& plan, const ScreenLimits& limits);
  /// Of a round with `plan`, or of a wide one: the profile afterwards, what the counters did, and
  /// what the rules need are stored with the idea.
  Origin Complete(Origin origin, const PlannedIdea* plan, const Candidate& candidate,
                  std::function<double()> seconds_left);
  Origin OriginOf(const PlannedIdea& plan) const;
  /// What is stored where the idea came to no candidate.
  IdeaStrategy::Failure FailureOf(const PlannedIdea& plan) const;
  /// After a round's end: `decision` none where it wrote no iteration. Reports the counters.
  void Close(ClosedRound record, Decision decision);

  /// "local optimum" or "roofline", where a rule ends the session.
  const char* Ended(double best_ms) const;
  double SecondsEach() const { return desk_.SecondsEach(); }
  const RoundRules& rules() const { return rules_; }
  RuleReport Report() const { return AuditRounds(rounds_, settings_.limits); }

 private:
  struct Offered {
    Offer offer;
    PlannedIdea plan;
  };

  Result<std::vector<KnownKernel>> Bases(const std::string& best) const;
  /// Nothing where the base does not build any more.
  Result<std::optional<profile::KernelProfile>> ProfileOf(const KnownKernel& base,
                                                          const Candidate& best,
                                                          double seconds_left);
  /// `any_verdict`: also of ideas that answer another verdict than the base's.
  Result<std::optional<PlannedIdea>> PlanOn(const KnownKernel& base, const Candidate& best,
                                            const ClosedRound& record, double seconds_left,
                                            bool any_verdict);
  std::vector<Offered> OffersOn(const Config& base, const profile::KernelProfile& before,
                                bool any_verdict);
  std::vector<Config> SeedsOf(const Config& base) const;
  Status LookDeeper(int round, const Candidate& best, double seconds_left);
  void Announce(const PlannedIdea& plan);

  Session& session_;
  const IdeaSettings& settings_;
  Pipeline& pipeline_;
  Screening& screening_;
  ProfileDesk desk_;
  RoundRules rules_;
  std::vector<ClosedRound> rounds_;
  std::set<std::string> written_;      ///< configurations of iterations and attempts
  std::optional<IdeaStrategy> strategy_;
};

}  // namespace croq::tune
