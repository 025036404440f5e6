#include "croq/tune/brought/first_stage.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "croq/tune/iteration_writer.h"

namespace croq::tune {

Result<First> JudgeFirst(Session& session, Built built) {
  First first{std::nullopt, built.outcome, built.reason, 0};
  if (built.outcome == Outcome::kRule) {
    const Origin origin{0, "the file's own first configuration", "the bar of every speed-up"};
    CROQ_TRY(IterationWriter(session).WriteFailure(built.candidate, built.outcome, built.reason,
                                                   built.log, origin));
    return first;
  }
  if (built.outcome == Outcome::kCorrect) {
    CROQ_ASSIGN(const Evaluation evaluation, session.evaluator.Screen(built.candidate, 0));
    first.outcome = evaluation.outcome;
    first.reason = evaluation.reason;
    first.time_ms = evaluation.time_ms;
  }
  if (first.outcome == Outcome::kCorrect) {
    first.candidate = std::move(built.candidate);
    return first;
  }
  session.observer.OnEvent(
      "warning", {{"message", "the file's own first configuration failed (" +
                                  std::string(NameOf(first.outcome)) + "): " + first.reason +
                                  "; there is no speed-up over it to state"}});
  return first;
}

}  // namespace croq::tune
