#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "croq/contract/contract.h"
#include "croq/model/search_space.h"
#include "croq/profile/kernel_profile.h"

namespace croq::profile {

/// What became of an idea in earlier rounds of the same operator.
struct IdeaRecord {
  std::string idea;
  int tries = 0;
  int hits = 0;  ///< it was kept
};

/// The kernel that ideas are ranked for.
struct IdeaTarget {
  std::string operator_name;
  DType dtype = DType::kF16Fp32;
  int compute_capability = 0;
  const SearchSpace& space;
  const Config& base;
  bool any_verdict = false;  ///< also what answers another verdict, well behind what answers this one
};

/// One entry of the menu, judged.
struct RankedIdea {
  const contract::Idea* idea = nullptr;
  bool applicable = false;
  std::string reason;         ///< why it is not applicable
  std::string evidence;       ///< what speaks for it, numbers with their metrics
  double expected_gain = 1;   ///< time before over time after
  double score = 0;           ///< what ranks it
  IdeaRecord record;
};

/// The whole menu: what applies, best first, then what does not, in the menu's order with the
/// reasons. The score is the expected gain less 1, weighed by what speaks for the idea (each test
/// of `when` that holds or fails), by whether the verdict is its own, and by its record: an idea
/// that keeps missing sinks, one that hit rises.
std::vector<RankedIdea> RankIdeas(const contract::Contract& contract, const IdeaTarget& target,
                                  const KernelProfile& evidence,
                                  const std::vector<IdeaRecord>& history);

/// With the figure that it goes by, or the first guess.
double GainOf(const contract::ExpectedGain& gain, const KernelProfile& evidence);

nlohmann::json ToJson(const RankedIdea& ranked);

/// What a counter that should have moved did.
struct CounterChange {
  std::string figure;
  std::string expected;  ///< up, down
  bool known = false;    ///< both profiles have it
  double before = 0;
  double after = 0;
  bool as_expected = false;
};

/// The figures that the idea named, before and after. A change of less than 0.5% of the larger is
/// none.
std::vector<CounterChange> CompareCounters(const contract::Idea& idea, const KernelProfile& before,
                                           const KernelProfile& after);

nlohmann::json ToJson(const CounterChange& change);

}  // namespace croq::profile
