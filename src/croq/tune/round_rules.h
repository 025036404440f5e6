#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "croq/model/outcome.h"

/// What decides which idea a round tries, and when a session is at its end. Pure: docs/rounds.md
/// words the rules, round_audit.h checks a session against them.
namespace croq::tune {

struct RuleLimits {
  int lever_rounds = 2;     ///< in a row; then a structural one
  int failed_builds = 5;    ///< of one idea in a row; then it is abandoned
  int deeper_look = 7;      ///< DISCARDs in a row
  int switch_base = 8;
  int local_optimum = 10;
  double roofline = 0.97;   ///< of the least time that the roofline allows
};

/// A kernel that rounds may start from.
struct KnownKernel {
  std::string config;
  std::string variant;
  double cold_ms = 0;
};

/// The best two structurally different kernels, fastest first. `best` leads where it is known,
/// whatever its time: duels decided that, and times of different runs don't compare.
std::vector<KnownKernel> ActiveBases(const std::vector<KnownKernel>& known,
                                     const std::string& best);

/// One closed round.
struct ClosedRound {
  int round = 0;
  std::string base;         ///< configuration; empty: none yet
  std::vector<std::string> bases;     ///< that were active
  std::string idea;         ///< id; empty: wide screening
  bool structural = false;
  bool structural_offered = false;    ///< a structural idea could have been chosen
  std::vector<std::string> settings;  ///< configurations that it screened or wrote
  int failed_builds = 0;    ///< of the idea in a row, at the round's end
  bool deeper_look = false;
  Decision decision = Decision::kNone;  ///< none: it wrote no iteration
};

/// An idea that could be tried on a base.
struct Offer {
  std::string base;
  std::string idea;
  bool structural = false;
  double score = 0;
  std::vector<std::string> settings;  ///< configurations it would screen or write
};

struct Choice {
  Offer offer;              ///< without the settings that were taken already
  bool structural_due = false;
  bool structural_offered = false;
};

/// What the row of DISCARDs asks for.
enum class Step { kGoOn, kLookDeeper, kSwitchBase, kLocalOptimum };

class RoundRules {
 public:
  explicit RoundRules(RuleLimits limits = {}) : limits_(limits) {}

  /// A build of an idea ended. Five that fail in a row abandon it.
  void OnBuild(const std::string& idea, bool succeeded);
  void Close(const ClosedRound& round);

  Step Next() const;
  bool StructuralDue() const { return lever_row_ >= limits_.lever_rounds; }
  bool Abandoned(const std::string& idea) const { return FailedBuilds(idea) >= limits_.failed_builds; }
  int FailedBuilds(const std::string& idea) const;
  /// This setting was tried for this idea on this base.
  bool Taken(const std::string& base, const std::string& idea, const std::string& setting) const;
  /// DISCARDs since the last KEEP.
  int DiscardRow() const { return discard_row_; }
  /// The base of the next round: the best one, or its rival while the row asks for a switch.
  std::string BaseOf(const std::vector<KnownKernel>& bases) const;
  /// The best offer that no rule forbids; nothing where none is left.
  std::optional<Choice> Choose(const std::vector<Offer>& offers) const;
  /// Near enough to the roofline's least time to stop.
  bool AtRoofline(double floor_ms, double time_ms) const {
    return floor_ms > 0 && time_ms > 0 && floor_ms >= limits_.roofline * time_ms;
  }

 private:
  RuleLimits limits_;
  std::map<std::string, int> failed_builds_;
  std::set<std::tuple<std::string, std::string, std::string>> taken_;
  int lever_row_ = 0;
  int discard_row_ = 0;
};

}  // namespace croq::tune
