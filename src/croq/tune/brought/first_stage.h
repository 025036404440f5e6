#pragma once

#include <optional>
#include <string>

#include "croq/tune/pipeline.h"
#include "croq/tune/session.h"

namespace croq::tune {

/// The file's own first configuration, built and judged before the search: the bar of every ratio.
struct First {
  std::optional<Candidate> candidate;  ///< nothing where it failed
  Outcome outcome = Outcome::kCorrect;
  std::string reason;
  double time_ms = 0;                  ///< cold median; predicted offline
};

/// Screens it as it was built. What the purity rule says against it holds for every configuration of
/// the file, so that becomes an attempt of the session.
Result<First> JudgeFirst(Session& session, Built built);

}  // namespace croq::tune
