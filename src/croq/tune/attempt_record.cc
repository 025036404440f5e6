#include "croq/tune/attempt_record.h"

#include <nlohmann/json.hpp>

#include "croq/base/files.h"
#include "croq/tune/events.h"
#include "croq/tune/iteration_writer.h"

namespace croq::tune {

Result<Attempt> RecordAttempt(Session& session, const Built& built) {
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
  attempt.log = built.log;
  attempt.tries = 1;
  attempt.at_millis = UnixMillis();
  CROQ_ASSIGN(attempt, session.journal.AbandonIteration(number, attempt));
  session.observer.OnEvent("attempt", ToJson(attempt));
  return attempt;
}

}  // namespace croq::tune
