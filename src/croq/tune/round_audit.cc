#include "croq/tune/round_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace croq::tune {
namespace {

bool Holds(const std::vector<std::string>& list, const std::string& entry) {
  return std::ranges::find(list, entry) != list.end();
}

class Audit {
 public:
  explicit Audit(const RuleLimits& limits) : limits_(limits) {}

  void Take(const ClosedRound& round) {
    ++report_.rounds;
    CheckEnd(round);
    if (!numbers_.insert(round.round).second) Break(round, "is closed twice: one idea a round");
    if (!round.idea.empty()) {
      ++report_.idea_rounds;
      CheckBase(round);
      CheckStructure(round);
      CheckCombinations(round);
      CheckBuilds(round);
    }
    CountDecision(round);
  }

  RuleReport Finish() { return std::move(report_); }

 private:
  void Break(const ClosedRound& round, const std::string& what) {
    report_.broken.push_back(fmt::format("round {} {}", round.round, what));
  }

  void CheckEnd(const ClosedRound& round) {
    const int row = report_.discard_row;
    if (row >= limits_.local_optimum)
      Break(round, fmt::format("followed {} DISCARDs in a row", row));
    if (round.idea.empty()) return;
    if (round.deeper_look) ++report_.deeper_looks;
    if (row == limits_.deeper_look && !round.deeper_look)
      Break(round, fmt::format("took no deeper look after {} DISCARDs in a row", row));
  }

  void CheckBase(const ClosedRound& round) {
    if (!Holds(round.bases, round.base)) Break(round, "started from a kernel that is no active base");
    const bool rival = round.bases.size() > 1 && round.base == round.bases[1];
    if (rival) ++report_.base_switches;
    const bool asked = report_.discard_row >= limits_.switch_base;
    if (asked && !rival && round.bases.size() > 1)
      Break(round, fmt::format("kept its base after {} DISCARDs in a row", report_.discard_row));
  }

  void CheckStructure(const ClosedRound& round) {
    const bool due = lever_row_ >= limits_.lever_rounds;
    if (due) ++report_.structural_due;
    if (due && !round.structural && !round.structural_offered) ++report_.structural_none_left;
    if (due && !round.structural && round.structural_offered)
      Break(round, fmt::format("moved levers after {} lever-only rounds", lever_row_));
    if (round.structural) ++report_.structural_rounds;
    lever_row_ = round.structural ? 0 : lever_row_ + 1;
    report_.longest_lever_row = std::max(report_.longest_lever_row, lever_row_);
  }

  void CheckCombinations(const ClosedRound& round) {
    for (const std::string& setting : round.settings) {
      ++report_.combinations;
      if (taken_.emplace(round.base, round.idea, setting).second) continue;
      ++report_.repeated_combinations;
      Break(round, fmt::format("tried {} for {} again", setting, round.idea));
    }
  }

  void CheckBuilds(const ClosedRound& round) {
    if (!Holds(report_.ideas, round.idea)) report_.ideas.push_back(round.idea);
    if (Holds(report_.abandoned, round.idea)) {
      Break(round, fmt::format("tried {}, which was abandoned", round.idea));
    } else if (round.failed_builds >= limits_.failed_builds) {
      report_.abandoned.push_back(round.idea);
    }
  }

  void CountDecision(const ClosedRound& round) {
    if (round.decision == Decision::kKeep) {
      ++report_.kept;
      report_.discard_row = 0;
    }
    if (round.decision != Decision::kDiscard) return;
    ++report_.discarded;
    ++report_.discard_row;
    report_.longest_discard_row = std::max(report_.longest_discard_row, report_.discard_row);
  }

  RuleLimits limits_;
  RuleReport report_;
  std::set<int> numbers_;
  std::set<std::tuple<std::string, std::string, std::string>> taken_;
  int lever_row_ = 0;
};

}  // namespace

RuleReport AuditRounds(const std::vector<ClosedRound>& rounds, const RuleLimits& limits) {
  Audit audit(limits);
  for (const ClosedRound& round : rounds) audit.Take(round);
  return audit.Finish();
}

nlohmann::json ToJson(const RuleReport& report) {
  return {{"rounds", report.rounds},
          {"idea_rounds", report.idea_rounds},
          {"structural_rounds", report.structural_rounds},
          {"structural_due", report.structural_due},
          {"structural_none_left", report.structural_none_left},
          {"longest_lever_row", report.longest_lever_row},
          {"combinations", report.combinations},
          {"repeated_combinations", report.repeated_combinations},
          {"kept", report.kept},
          {"discarded", report.discarded},
          {"discard_row", report.discard_row},
          {"longest_discard_row", report.longest_discard_row},
          {"deeper_looks", report.deeper_looks},
          {"base_switches", report.base_switches},
          {"ideas", report.ideas},
          {"abandoned", report.abandoned},
          {"broken", report.broken}};
}

}  // namespace croq::tune
