#pragma once

#include <string>

#include "croq/base/result.h"
#include "croq/model/outcome.h"
#include "croq/tune/evaluator.h"

namespace croq::tune {

/// What a check without a GPU gave.
struct NumericReply {
  Outcome outcome = Outcome::kCorrect;
  std::string reason;
  double max_abs_err = 0;
  std::string checked_as;   ///< shape and dtype that were run, for the record
  bool checked = true;      ///< false: it could not be checked (checked_as says why), and passes
};

/// Runs a candidate's script on a small twin of the shape in Triton's interpreter.
class NumericCheck {
 public:
  virtual ~NumericCheck() = default;
  virtual Result<NumericReply> Check(const Candidate& candidate) = 0;
};

}  // namespace croq::tune
