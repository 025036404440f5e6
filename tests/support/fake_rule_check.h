#pragma once

#include <string>
#include <utility>
#include <vector>

#include "croq/tune/rule_check.h"

namespace croq::testing {

/// Rejects the sources that hold `marker`, where there is one, and suspects those that hold
/// `suspicious`.
class FakeRuleCheck : public tune::RuleCheck {
 public:
  Result<tune::RuleVerdict> Check(const std::string& name, const std::string& source,
                                  int iteration) override {
    asked.emplace_back(name, iteration);
    tune::RuleVerdict verdict;
    if (!suspicious.empty() && source.find(suspicious) != std::string::npos)
      verdict.suspicions.push_back("S101 at line 1: it is odd");
    if (marker.empty() || source.find(marker) == std::string::npos) return verdict;
    verdict.accepted = false;
    verdict.reason = "E102 at line 1: it computes with torch";
    verdict.log = name + ":1:1: reject E102: it computes with torch\n";
    return verdict;
  }

  std::string marker;
  std::string suspicious;
  std::vector<std::pair<std::string, int>> asked;  ///< names and iterations
};

}  // namespace croq::testing
