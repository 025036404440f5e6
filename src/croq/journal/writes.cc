#include "croq/journal/writes.h"

namespace croq::journal {
namespace {

void BindRun(Statement& statement, std::int64_t run) {
  if (run == 0) {
    statement.BindNull();
  } else {
    statement.Bind(run);
  }
}

void BindBuild(Statement& statement, const BuildFacts& build) {
  statement.Bind(build.registers).Bind(build.local_bytes).Bind(build.shared_bytes);
  statement.Bind(build.compile_ms).Bind(build.cubin_fingerprint);
}

}  // namespace

Result<Statement> PrepareTrialInsert(const Database& database) {
  return database.Prepare(
      "INSERT INTO trials (id, run, round, config, outcome, reason, log, time_ms, max_abs_err,"
      " registers, local_bytes, shared_bytes, compile_ms, cubin, device_state, predicted, at)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
}

Status InsertTrial(Statement& insert, std::int64_t run, const Trial& trial) {
  insert.Bind(trial.id);
  BindRun(insert, run);
  insert.Bind(trial.round).Bind(trial.config.Text()).Bind(NameOf(trial.outcome));
  insert.Bind(trial.reason).Bind(trial.log).Bind(trial.time_ms).Bind(trial.max_abs_err);
  BindBuild(insert, trial.build);
  insert.Bind(trial.device_state).Bind(trial.predicted).Bind(trial.at_millis);
  return insert.Run();
}

Status InsertOpenIteration(const Database& database, std::int64_t run, const OpenIteration& open,
                           std::int64_t now_millis) {
  CROQ_ASSIGN(Statement insert,
              database.Prepare("INSERT INTO iterations (number, run, state, tag, round, config, at)"
                               " VALUES (?, ?, 'open', ?, ?, ?, ?)"));
  insert.Bind(open.number);
  BindRun(insert, run);
  insert.Bind(open.tag).Bind(open.round).Bind(open.config).Bind(now_millis);
  return insert.Run();
}

Status FinishIteration(const Database& database, std::int64_t run, const Iteration& iteration) {
  CROQ_ASSIGN(Statement update,
              database.Prepare(
                  "UPDATE iterations SET state = 'final', run = ?, round = ?, config = ?,"
                  " decision = ?, bottleneck = ?, idea = ?, tflops = ?, time_ms = ?, cold_ms = ?,"
                  " ratio = ?, ratio_low = ?, ratio_high = ?, best_ratio = ?, script_tflops = ?,"
                  " verified = ?, max_abs_err = ?, registers = ?, local_bytes = ?,"
                  " shared_bytes = ?, compile_ms = ?, cubin = ?, predicted = ?, at = ?"
                  " WHERE number = ? AND state = 'open'"));
  BindRun(update, run);
  update.Bind(iteration.round).Bind(iteration.config).Bind(NameOf(iteration.decision));
  update.Bind(iteration.bottleneck).Bind(iteration.idea).Bind(iteration.tflops);
  update.Bind(iteration.time_ms).Bind(iteration.cold_ms).Bind(iteration.ratio);
  update.Bind(iteration.ratio_low).Bind(iteration.ratio_high).Bind(iteration.best_ratio);
  update.Bind(iteration.script_tflops).Bind(iteration.verified).Bind(iteration.max_abs_err);
  BindBuild(update, iteration.build);
  update.Bind(iteration.predicted).Bind(iteration.at_millis).Bind(iteration.number);
  return update.Run();
}

Status DeleteOpenIteration(const Database& database, int number) {
  CROQ_ASSIGN(Statement remove,
              database.Prepare("DELETE FROM iterations WHERE number = ? AND state = 'open'"));
  return remove.Bind(number).Run();
}

Status InsertAttempt(const Database& database, std::int64_t run, const Attempt& attempt,
                     const AttemptMove& move) {
  CROQ_ASSIGN(Statement insert,
              database.Prepare("INSERT INTO attempts (number, run, tag, config, outcome, reason,"
                               " log, tries, released, log_from, files_moved, at)"
                               " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)"));
  insert.Bind(attempt.number);
  BindRun(insert, run);
  insert.Bind(attempt.tag).Bind(attempt.config).Bind(NameOf(attempt.outcome));
  insert.Bind(attempt.reason).Bind(attempt.log).Bind(attempt.tries);
  insert.Bind(move.released).Bind(move.log_from).Bind(attempt.at_millis);
  return insert.Run();
}

Status InsertIdea(const Database& database, const Idea& idea) {
  CROQ_ASSIGN(Statement insert,
              database.Prepare("INSERT INTO ideas (iter, bottleneck, evidence, idea, expected,"
                               " actual, decision, at, round, idea_id, base, expected_gain,"
                               " actual_gain, counters, rules)"
                               " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  insert.Bind(idea.iter).Bind(idea.bottleneck).Bind(idea.evidence).Bind(idea.idea);
  insert.Bind(idea.expected).Bind(idea.actual).Bind(NameOf(idea.decision)).Bind(idea.at_millis);
  insert.Bind(idea.round).Bind(idea.idea_id).Bind(idea.base).Bind(idea.expected_gain);
  insert.Bind(idea.actual_gain).Bind(idea.counters).Bind(idea.rules);
  return insert.Run();
}

Status PutProfile(const Database& database, const std::string& config, const std::string& profile,
                  std::int64_t now_millis) {
  CROQ_ASSIGN(Statement put,
              database.Prepare("INSERT INTO profiles (config, profile, at) VALUES (?, ?, ?) ON"
                               " CONFLICT (config) DO UPDATE SET profile = excluded.profile,"
                               " at = excluded.at"));
  return put.Bind(config).Bind(profile).Bind(now_millis).Run();
}

Status PutFact(const Database& database, const std::string& key, const std::string& value,
               std::int64_t now_millis) {
  CROQ_ASSIGN(Statement put,
              database.Prepare("INSERT INTO facts (key, value, at) VALUES (?, ?, ?) ON CONFLICT"
                               " (key) DO UPDATE SET value = excluded.value, at = excluded.at"));
  return put.Bind(key).Bind(value).Bind(now_millis).Run();
}

}  // namespace croq::journal
