#include "croq/journal/queries.h"

#include <algorithm>
#include <string_view>

namespace croq::journal {
namespace {

constexpr std::string_view kIterationColumns =
    "number, tag, round, config, decision, bottleneck, idea, tflops, time_ms, cold_ms, ratio,"
    " ratio_low, ratio_high, best_ratio, script_tflops, verified, max_abs_err, registers,"
    " local_bytes, shared_bytes, compile_ms, cubin, predicted, at";

Outcome OutcomeOf(const std::string& name) {
  return ParseOutcome(name).value_or(Outcome::kRuntime);  // CHECK lets no other name in
}

Decision DecisionOf(const std::string& name) {
  return ParseDecision(name).value_or(Decision::kNone);
}

int SmallInt(const Statement& row, int column) { return static_cast<int>(row.Int(column)); }

BuildFacts ReadBuild(const Statement& row, int first) {
  BuildFacts build;
  build.registers = SmallInt(row, first);
  build.local_bytes = SmallInt(row, first + 1);
  build.shared_bytes = row.Int(first + 2);
  build.compile_ms = row.Real(first + 3);
  build.cubin_fingerprint = row.Text(first + 4);
  return build;
}

Iteration ReadIteration(const Statement& row) {
  Iteration iteration;
  iteration.number = SmallInt(row, 0);
  iteration.tag = row.Text(1);
  iteration.round = SmallInt(row, 2);
  iteration.config = row.Text(3);
  iteration.decision = DecisionOf(row.Text(4));
  iteration.bottleneck = row.Text(5);
  iteration.idea = row.Text(6);
  iteration.tflops = row.Real(7);
  iteration.time_ms = row.Real(8);
  iteration.cold_ms = row.Real(9);
  iteration.ratio = row.Real(10);
  iteration.ratio_low = row.Real(11);
  iteration.ratio_high = row.Real(12);
  iteration.best_ratio = row.Real(13);
  iteration.script_tflops = row.Real(14);
  iteration.verified = row.Int(15) != 0;
  iteration.max_abs_err = row.Real(16);
  iteration.build = ReadBuild(row, 17);
  iteration.predicted = row.Int(22) != 0;
  iteration.at_millis = row.Int(23);
  return iteration;
}

Result<Trial> ReadTrial(const Statement& row) {
  Trial trial;
  trial.id = row.Int(0);
  trial.round = SmallInt(row, 1);
  CROQ_ASSIGN(trial.config, ParseConfig(row.Text(2)));
  trial.outcome = OutcomeOf(row.Text(3));
  trial.reason = row.Text(4);
  trial.log = row.Text(5);
  trial.time_ms = row.Real(6);
  trial.max_abs_err = row.Real(7);
  trial.build = ReadBuild(row, 8);
  trial.device_state = row.Text(13);
  trial.predicted = row.Int(14) != 0;
  trial.at_millis = row.Int(15);
  return trial;
}

Attempt ReadAttempt(const Statement& row) {
  Attempt attempt;
  attempt.number = SmallInt(row, 0);
  attempt.tag = row.Text(1);
  attempt.config = row.Text(2);
  attempt.outcome = OutcomeOf(row.Text(3));
  attempt.reason = row.Text(4);
  attempt.log = row.Text(5);
  attempt.tries = SmallInt(row, 6);
  attempt.at_millis = row.Int(7);
  return attempt;
}

Idea ReadIdea(const Statement& row) {
  Idea idea;
  idea.iter = row.Text(0);
  idea.bottleneck = row.Text(1);
  idea.evidence = row.Text(2);
  idea.idea = row.Text(3);
  idea.expected = row.Text(4);
  idea.actual = row.Text(5);
  idea.decision = DecisionOf(row.Text(6));
  idea.at_millis = row.Int(7);
  idea.round = SmallInt(row, 8);
  idea.idea_id = row.Text(9);
  idea.base = row.Text(10);
  idea.expected_gain = row.Real(11);
  idea.actual_gain = row.Real(12);
  idea.counters = row.Text(13);
  idea.rules = row.Text(14);
  return idea;
}

/// Every remaining row, each turned into a value by `read`.
template <typename T, typename Read>
Result<std::vector<T>> Collect(Statement& statement, Read read) {
  std::vector<T> values;
  while (true) {
    CROQ_ASSIGN(const bool row, statement.Step());
    if (!row) return values;
    values.push_back(read(statement));
  }
}

Result<std::optional<Iteration>> OneIteration(Statement& statement) {
  CROQ_ASSIGN(const bool row, statement.Step());
  if (!row) return std::optional<Iteration>();
  return std::optional<Iteration>(ReadIteration(statement));
}

std::string SelectIterations(std::string_view rest) {
  return "SELECT " + std::string(kIterationColumns) + " FROM iterations WHERE state = 'final' " +
         std::string(rest);
}

}  // namespace

Result<SessionInfo> Queries::Session() const {
  CROQ_ASSIGN(Statement row,
              database_->Prepare("SELECT gpu_key, dsl, shape_key, model, offline, seed, created_at,"
                                 " environment FROM session"));
  CROQ_ASSIGN(const bool found, row.Step());
  if (!found) {
    return Failure("the journal holds no session: move journal.db away and run croq tune again");
  }
  return SessionInfo{row.Text(0), row.Text(1), row.Text(2), row.Text(3), row.Int(4) != 0,
                     row.Text(5), row.Int(6),  EnvironmentFromJsonText(row.Text(7))};
}

Result<SessionSummary> Queries::Summary() const {
  SessionSummary summary;
  CROQ_ASSIGN(summary.info, Session());
  CROQ_ASSIGN(summary.trials, TrialCount());
  CROQ_ASSIGN(summary.rejected,
              database_->QueryInt("SELECT count(*) FROM trials WHERE outcome = 'constraints'"));
  CROQ_ASSIGN(const std::int64_t iterations, database_->QueryInt(
      "SELECT count(*) FROM iterations WHERE state = 'final'"));
  CROQ_ASSIGN(const std::int64_t attempts, database_->QueryInt("SELECT count(*) FROM attempts"));
  summary.iterations = static_cast<int>(iterations);
  summary.attempts = static_cast<int>(attempts);
  CROQ_ASSIGN(summary.baseline, FindIteration(0));
  CROQ_ASSIGN(summary.best, Best());
  CROQ_ASSIGN(summary.last_millis, database_->QueryInt("SELECT max(last_at) FROM runs"));
  summary.last_millis = std::max(summary.last_millis, summary.info.created_millis);
  return summary;
}

Result<std::vector<Trial>> Queries::Trials(std::int64_t limit, std::int64_t offset) const {
  CROQ_ASSIGN(Statement statement,
              database_->Prepare("SELECT id, round, config, outcome, reason, log, time_ms,"
                                 " max_abs_err, registers, local_bytes, shared_bytes, compile_ms,"
                                 " cubin, device_state, predicted, at FROM trials"
                                 " ORDER BY id LIMIT ? OFFSET ?"));
  statement.Bind(limit).Bind(offset);
  std::vector<Trial> trials;
  while (true) {
    CROQ_ASSIGN(const bool row, statement.Step());
    if (!row) return trials;
    CROQ_ASSIGN(Trial trial, ReadTrial(statement));
    trials.push_back(std::move(trial));
  }
}

Result<std::int64_t> Queries::TrialCount() const {
  return database_->QueryInt("SELECT coalesce(max(id), 0) FROM trials");  // ids have no gaps
}

Result<std::vector<TriedConfig>> Queries::TriedConfigs() const {
  CROQ_ASSIGN(Statement statement,
              database_->Prepare("SELECT config, round, outcome, time_ms FROM trials"
                                 " ORDER BY id"));
  return Collect<TriedConfig>(statement, [](const Statement& row) {
    return TriedConfig{row.Text(0), SmallInt(row, 1), OutcomeOf(row.Text(2)), row.Real(3)};
  });
}

Result<std::vector<Iteration>> Queries::Iterations() const {
  CROQ_ASSIGN(Statement statement, database_->Prepare(SelectIterations("ORDER BY number")));
  return Collect<Iteration>(statement, ReadIteration);
}

Result<std::optional<Iteration>> Queries::FindIteration(int number) const {
  CROQ_ASSIGN(Statement statement, database_->Prepare(SelectIterations("AND number = ?")));
  statement.Bind(number);
  return OneIteration(statement);
}

Result<std::optional<Iteration>> Queries::Best() const {
  CROQ_ASSIGN(Statement statement,
              database_->Prepare(SelectIterations("AND decision = 'KEEP' AND number > 0"
                                                  " ORDER BY number DESC LIMIT 1")));
  return OneIteration(statement);
}

Result<std::optional<OpenIteration>> Queries::Open() const {
  CROQ_ASSIGN(Statement row, database_->Prepare("SELECT number, tag, config, round FROM iterations"
                                                " WHERE state = 'open'"));
  CROQ_ASSIGN(const bool found, row.Step());
  if (!found) return std::optional<OpenIteration>();
  return std::optional<OpenIteration>(
      OpenIteration{SmallInt(row, 0), row.Text(1), row.Text(2), SmallInt(row, 3)});
}

Result<std::vector<Attempt>> Queries::Attempts() const {
  CROQ_ASSIGN(Statement statement,
              database_->Prepare("SELECT number, tag, config, outcome, reason, log, tries, at"
                                 " FROM attempts ORDER BY number"));
  return Collect<Attempt>(statement, ReadAttempt);
}

Result<std::vector<Idea>> Queries::Ideas() const {
  CROQ_ASSIGN(Statement statement,
              database_->Prepare("SELECT iter, bottleneck, evidence, idea, expected, actual,"
                                 " decision, at, round, idea_id, base,"
                                 " coalesce(expected_gain, 0), coalesce(actual_gain, 0), counters,"
                                 " rules FROM ideas ORDER BY id"));
  return Collect<Idea>(statement, ReadIdea);
}

Result<std::optional<std::string>> Queries::ProfileText(const std::string& config) const {
  CROQ_ASSIGN(Statement row, database_->Prepare("SELECT profile FROM profiles WHERE config = ?"));
  row.Bind(config);
  CROQ_ASSIGN(const bool found, row.Step());
  if (!found) return std::optional<std::string>();
  return std::optional<std::string>(row.Text(0));
}

Result<std::optional<std::string>> Queries::FactText(const std::string& key) const {
  CROQ_ASSIGN(Statement row, database_->Prepare("SELECT value FROM facts WHERE key = ?"));
  row.Bind(key);
  CROQ_ASSIGN(const bool found, row.Step());
  if (!found) return std::optional<std::string>();
  return std::optional<std::string>(row.Text(0));
}

Result<std::vector<FactRecord>> Queries::Facts() const {
  CROQ_ASSIGN(Statement statement, database_->Prepare("SELECT key, value FROM facts ORDER BY key"));
  return Collect<FactRecord>(statement, [](const Statement& row) {
    return FactRecord{row.Text(0), row.Text(1)};
  });
}

Result<std::optional<UnfinishedRun>> Queries::LastUnfinishedRun() const {
  CROQ_ASSIGN(Statement last, database_->Prepare("SELECT id, argv, budget FROM runs WHERE status ="
                                                 " 'running' AND id = (SELECT max(id) FROM runs)"));
  CROQ_ASSIGN(const bool found, last.Step());
  if (!found) return std::optional<UnfinishedRun>();
  UnfinishedRun run;
  run.id = last.Int(0);
  run.argv = last.Text(1);
  run.budget = last.Text(2);
  CROQ_ASSIGN(Statement used, database_->Prepare(
      "WITH RECURSIVE chain (id, continues, millis) AS ("
      "  SELECT id, continues, max(last_at - started_at, 0) FROM runs WHERE id = ?"
      "  UNION ALL"
      "  SELECT r.id, r.continues, max(r.last_at - r.started_at, 0)"
      "    FROM runs r JOIN chain c ON r.id = c.continues)"
      " SELECT (SELECT sum(millis) FROM chain),"
      "  (SELECT count(*) FROM trials WHERE outcome <> 'constraints'"
      "     AND run IN (SELECT id FROM chain)),"
      "  (SELECT count(*) FROM iterations WHERE state = 'final' AND run IN (SELECT id FROM chain))"));
  used.Bind(run.id);
  CROQ_ASSIGN(const bool row, used.Step());
  if (row) {
    run.seconds = static_cast<double>(used.Int(0)) / 1000;
    run.trials = used.Int(1);
    run.iterations = SmallInt(used, 2);
  }
  return std::optional<UnfinishedRun>(std::move(run));
}

}  // namespace croq::journal
