#include "croq/tune/brought/first_stage.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "croq/base/files.h"
#include "croq/tune/events.h"
#include "croq/tune/iteration_writer.h"

namespace croq::tune {
namespace {

Status RecordRule(Session& session, const Built& built) {
  const std::string text = built.candidate.config.Text();
  CROQ_ASSIGN(const int number, BeginOrTakeUp(session.journal, built.candidate.tag, text, 0));
  CROQ_TRY(MakeDirectories(session.paths.Sources()));
  const std::string name = IterationName(number) + "_" + built.candidate.tag;
  CROQ_TRY(WriteFileAtomic(session.paths.Source(name), built.candidate.source));
  Attempt attempt;
  attempt.tag = built.candidate.tag;
  attempt.config = text;
  attempt.outcome = built.outcome;
  attempt.reason = built.reason;
  attempt.tries = 1;
  attempt.at_millis = UnixMillis();
  CROQ_ASSIGN(attempt, session.journal.AbandonIteration(number, attempt));
  session.observer.OnEvent("attempt", ToJson(attempt));
  return {};
}

}  // namespace

Result<First> JudgeFirst(Session& session, Pipeline& pipeline, const Config& config) {
  CROQ_ASSIGN(std::vector<Built> all, pipeline.BuildNow({config}));
  Built& built = all.front();
  First first{std::nullopt, built.outcome, built.reason, 0};
  if (built.outcome == Outcome::kRule) {
    CROQ_TRY(RecordRule(session, built));
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
