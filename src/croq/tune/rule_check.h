#pragma once

#include <string>
#include <vector>

#include "croq/base/result.h"

namespace croq::tune {

/// What the purity rule says of a script.
struct RuleVerdict {
  bool accepted = true;
  std::string reason;                   ///< of the first reject: `E102 at line 9: sentence`
  std::string log;                      ///< every finding, for people; empty where there is none
  std::vector<std::string> suspicions;  ///< one line each
};

/// Judges scripts by the contract's Pure Implementation Rule, before anything of them is built.
class RuleCheck {
 public:
  virtual ~RuleCheck() = default;

  /// `name` stands for the script in the log; `iteration` 0 is the baseline.
  virtual Result<RuleVerdict> Check(const std::string& name, const std::string& source,
                                    int iteration) = 0;
};

}  // namespace croq::tune
