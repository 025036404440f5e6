#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/clock.h"
#include "croq/base/result.h"
#include "croq/journal/lock.h"
#include "croq/journal/queries.h"
#include "croq/journal/records.h"
#include "croq/journal/sqlite.h"
#include "croq/journal/view_files.h"
#include "croq/model/iteration.h"
#include "croq/model/session_paths.h"

namespace croq::journal {

/// What was found when a session was opened.
struct OpenReport {
  bool resumed = false;              ///< the session was there already
  /// "triton 3.6.0 -> 3.7.1": stored figures no longer compare. Stays so at every opening until
  /// AcceptEnvironment().
  std::vector<std::string> environment_changes;
  /// What a crash or a person had left wrong and was put right, as sentences.
  std::vector<std::string> repairs;
};

/// The record of one session and its only writer. SQLite is the truth; results.tsv and the .jsonl
/// logs are views, appended to after each commit and repaired when the session is opened.
///
/// A process that is killed at any moment loses at most the trials of the last 250 ms: iterations
/// and attempts are numbered by rows that are committed before their files are written, so after a
/// restart none is missing and none exists twice. docs/journal.md has the layout and the reasons.
///
/// One thread uses a Journal. Every error leaves the store as it was before the call, and trials
/// that could not be written stay buffered for the next try.
class Journal {
 public:
  static constexpr std::chrono::milliseconds kMaxBatchAge{250};

  /// Makes or resumes the session. Usage errors: another croq holds it (says who), the folder
  /// can't be written, the store belongs to another session. Fatal: the store is damaged or newer
  /// than this croq (it is not touched), the disk is full.
  /// On resume the stored seed and creation time stay; see session().
  static Result<std::unique_ptr<Journal>> Open(const SessionPaths& paths, const SessionInfo& wanted);

  /// Writes what is buffered, as far as it can. An unfinished run counts as killed.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const OpenReport& opened() const { return opened_; }
  /// As stored: the seed of the first run, the environment last accepted.
  const SessionInfo& session() const { return session_; }
  const SessionPaths& paths() const { return paths_; }
  /// Everything committed. Trials still buffered are not in it: Flush() first where that matters.
  const Queries& read() const { return queries_; }

  /// The figures were timed again: from now on they belong to this run's environment.
  Status AcceptEnvironment();

  // Runs. Ask for the unfinished one before starting another.
  Result<std::optional<UnfinishedRun>> FindUnfinishedRun() const;
  /// `continues`: the unfinished run whose budget this one goes on with.
  Result<std::int64_t> StartRun(const nlohmann::json& argv, const nlohmann::json& budget,
                                std::optional<std::int64_t> continues = std::nullopt);
  /// Flushes and closes the current run.
  Status FinishRun(RunStatus status);

  // Trials.
  /// Buffers the trial and returns its id. Commits the buffer where its oldest is due.
  Result<std::int64_t> AppendTrial(Trial trial,
                                   SteadyTime now = std::chrono::steady_clock::now());
  Status FlushIfDue(SteadyTime now);
  Status Flush();

  // Iterations: Begin, write the files of that number, then Commit or Abandon.
  /// The unfinished one of a killed run; redo it with its number and tag.
  Result<std::optional<OpenIteration>> FindOpenIteration() const { return queries_.Open(); }
  /// Takes the next number (iter000 first). Error where one is open or the tag is not valid.
  Result<int> BeginIteration(const std::string& tag, const std::string& config, int round);
  /// The tag must be the one it was begun with. `idea.iter` and the times are filled in.
  Status CommitIteration(Iteration iteration, std::optional<Idea> idea = std::nullopt);
  /// Gives the number back. The source becomes attempt<AAAA>_<tag>.py, a log among the number's
  /// files is kept as logs/.../attempt<AAAA>_<tag>.log, its other cmd and perf files are removed.
  /// Returns the attempt as stored (number, tag, log).
  Result<Attempt> AbandonIteration(int number, Attempt attempt,
                                   std::optional<Idea> idea = std::nullopt);
  /// Names the bottleneck of a committed iteration, once it has been profiled.
  Status SetBottleneck(int number, const std::string& bottleneck);
  /// Stores what was found of a configuration, in place of an older profile of it.
  Status SetProfile(const std::string& config, const nlohmann::json& profile);

  // Facts of the session: cuBLAS times, cublasLt's best heuristic, ...
  Status SetFact(const std::string& key, const nlohmann::json& value);
  Result<std::optional<nlohmann::json>> Fact(const std::string& key) const;

  /// Makes the views what the journal says. Returns what was repaired, as sentences.
  Result<std::vector<std::string>> RepairViews();

 private:
  Journal(SessionPaths paths, SessionLock lock, Database database);

  Status Prepare(const SessionInfo& wanted);
  Status FinishAttemptMoves();
  Status Write(const std::function<Status()>& body);
  Status WriteBuffered();
  Status AppendToViews(const std::function<Result<bool>()>& append);

  SessionPaths paths_;
  SessionLock lock_;
  Database database_;
  Queries queries_;
  SessionInfo session_;
  Environment environment_;          ///< of this process
  OpenReport opened_;
  ViewFile results_;
  ViewFile predicted_;
  ViewFile ideas_;
  ViewFile attempts_;
  std::vector<Trial> buffer_;
  SteadyTime oldest_{};              ///< when the first of buffer_ came
  std::int64_t next_trial_ = 1;
  std::int64_t run_ = 0;
};

}  // namespace croq::journal
