#include "croq/tune/round_rules.h"

#include <algorithm>

namespace croq::tune {

std::vector<KnownKernel> ActiveBases(const std::vector<KnownKernel>& known,
                                     const std::string& best) {
  std::vector<KnownKernel> sorted = known;
  std::ranges::stable_sort(sorted, [&](const KnownKernel& a, const KnownKernel& b) {
    if ((a.config == best) != (b.config == best)) return a.config == best;
    return a.cold_ms < b.cold_ms;
  });
  std::vector<KnownKernel> bases;
  for (const KnownKernel& kernel : sorted) {
    if (bases.empty() || kernel.variant != bases.front().variant) bases.push_back(kernel);
    if (bases.size() == 2) break;
  }
  return bases;
}

void RoundRules::OnBuild(const std::string& idea, bool succeeded) {
  int& failed = failed_builds_[idea];
  // What was abandoned stays so: a late success of the same round changes nothing.
  if (failed >= limits_.failed_builds) return;
  failed = succeeded ? 0 : failed + 1;
}

int RoundRules::FailedBuilds(const std::string& idea) const {
  const auto found = failed_builds_.find(idea);
  return found == failed_builds_.end() ? 0 : found->second;
}

void RoundRules::Close(const ClosedRound& round) {
  if (!round.idea.empty()) {
    lever_row_ = round.structural ? 0 : lever_row_ + 1;
    for (const std::string& setting : round.settings) {
      taken_.emplace(round.base, round.idea, setting);
    }
    int& failed = failed_builds_[round.idea];
    if (failed < limits_.failed_builds) failed = round.failed_builds;
  }
  if (round.decision == Decision::kKeep) discard_row_ = 0;
  if (round.decision == Decision::kDiscard) ++discard_row_;
}

Step RoundRules::Next() const {
  if (discard_row_ >= limits_.local_optimum) return Step::kLocalOptimum;
  if (discard_row_ >= limits_.switch_base) return Step::kSwitchBase;
  return discard_row_ >= limits_.deeper_look ? Step::kLookDeeper : Step::kGoOn;
}

bool RoundRules::Taken(const std::string& base, const std::string& idea,
                       const std::string& setting) const {
  return taken_.contains({base, idea, setting});
}

std::string RoundRules::BaseOf(const std::vector<KnownKernel>& bases) const {
  if (bases.empty()) return "";
  const bool rival = Next() == Step::kSwitchBase && bases.size() > 1;
  return bases[rival ? 1 : 0].config;
}

std::optional<Choice> RoundRules::Choose(const std::vector<Offer>& offers) const {
  std::vector<Offer> open;
  for (Offer offer : offers) {
    std::erase_if(offer.settings, [&](const std::string& setting) {
      return Taken(offer.base, offer.idea, setting);
    });
    if (!offer.settings.empty() && !Abandoned(offer.idea)) open.push_back(std::move(offer));
  }
  std::ranges::stable_sort(open, [](const Offer& a, const Offer& b) { return a.score > b.score; });
  const auto structural = std::ranges::find(open, true, &Offer::structural);
  Choice choice;
  choice.structural_offered = structural != open.end();
  choice.structural_due = StructuralDue();
  if (open.empty()) return std::nullopt;
  const bool change = choice.structural_due && choice.structural_offered;
  choice.offer = std::move(change ? *structural : open.front());
  return choice;
}

}  // namespace croq::tune
