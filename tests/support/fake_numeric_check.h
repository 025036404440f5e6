#pragma once

#include <map>
#include <string>
#include <vector>

#include "croq/tune/numeric_check.h"

namespace croq::testing {

/// Right unless the table has another outcome for the configuration's text.
class FakeNumericCheck : public tune::NumericCheck {
 public:
  Result<tune::NumericReply> Check(const tune::Candidate& candidate) override {
    const std::string text = candidate.config.Text();
    checked.push_back(text);
    tune::NumericReply reply;
    reply.max_abs_err = 2e-4;
    reply.checked_as = "a twin";
    if (const auto found = wrong.find(text); found != wrong.end()) {
      reply.outcome = found->second;
      reply.reason = "the interpreter disagrees";
    }
    return reply;
  }

  std::map<std::string, Outcome> wrong;
  std::vector<std::string> checked;
};

}  // namespace croq::testing
