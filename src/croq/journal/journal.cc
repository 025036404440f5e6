#include "croq/journal/journal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "croq/journal/store.h"
#include "croq/journal/views.h"
#include "croq/journal/writes.h"

namespace croq::journal {
namespace {

namespace fs = std::filesystem;

std::string Dump(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Makes the session's log folder, or says that --out can't be written.
Status PrepareFolder(const fs::path& folder) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code == std::errc::no_space_on_device) {
    return Failure(fmt::format("cannot make the folder {}: the disk is full (free some space)",
                               folder.string()));
  }
  if (!code && ::access(folder.c_str(), W_OK | X_OK) != 0) {
    code = std::error_code(errno, std::generic_category());
  }
  if (code) {
    return UsageFailure(fmt::format("cannot write to {}: {} (choose a folder that can be written "
                                    "with --out)", folder.string(), code.message()));
  }
  return {};
}

/// A -wal without its store would be taken for the new store's own. Puts it aside.
Result<std::string> SetAsideLeftovers(const fs::path& store) {
  std::error_code code;
  fs::remove(store.string() + "-shm", code);
  const fs::path wal = store.string() + "-wal";
  if (!fs::exists(wal, code)) return std::string();
  const fs::path aside = wal.string() + fmt::format(".orphan-{}", UnixMillis());
  fs::rename(wal, aside, code);
  if (code) {
    return Failure(fmt::format("cannot move {} out of the way: {}", wal.string(), code.message()));
  }
  return fmt::format("{} had no store: moved to {}", wal.filename().string(),
                     aside.filename().string());
}

Status CheckIsWanted(const SessionInfo& stored, const SessionInfo& wanted, const fs::path& store) {
  const auto name = [](const SessionInfo& info) {
    return fmt::format("{}/{}/{}/{}{}", info.gpu_key, info.dsl, info.shape_key, info.model,
                       info.offline ? " (offline)" : "");
  };
  if (name(stored) == name(wanted)) return {};
  return UsageFailure(fmt::format("the store {} holds the session {}, not {}: move it back to its "
                                  "own folder, or choose another --out", store.string(),
                                  name(stored), name(wanted)));
}

}  // namespace

Journal::Journal(SessionPaths paths, SessionLock lock, Database database)
    : paths_(std::move(paths)),
      lock_(std::move(lock)),
      database_(std::move(database)),
      queries_(&database_),
      results_(paths_.Logs() / "results.tsv", ResultsHeader(), true),
      predicted_(paths_.Logs() / "predicted.tsv", PredictedHeader(), false),
      ideas_(paths_.Logs() / "idea-log.jsonl", "", false),
      attempts_(paths_.Logs() / "attempt-log.jsonl", "", false) {}

Journal::~Journal() { static_cast<void>(Flush()); }

Result<std::unique_ptr<Journal>> Journal::Open(const SessionPaths& paths,
                                               const SessionInfo& wanted) {
  CROQ_TRY(PrepareFolder(paths.Logs()));
  CROQ_ASSIGN(SessionLock lock, SessionLock::Take(paths.Logs() / "lock"));
  OpenReport report;
  CROQ_ASSIGN(report.resumed, CheckStore(paths.Journal()));
  if (!report.resumed) {
    CROQ_ASSIGN(const std::string leftover, SetAsideLeftovers(paths.Journal()));
    if (!leftover.empty()) report.repairs.push_back(leftover);
    SessionInfo made = wanted;
    if (made.created_millis == 0) made.created_millis = UnixMillis();
    CROQ_TRY(CreateStore(paths.Journal(), made));
  }
  CROQ_ASSIGN(Database database, OpenStore(paths.Journal()));
  std::unique_ptr<Journal> journal(new Journal(paths, std::move(lock), std::move(database)));
  journal->opened_ = std::move(report);
  CROQ_TRY(journal->Prepare(wanted));
  return journal;
}

Status Journal::Prepare(const SessionInfo& wanted) {
  CROQ_ASSIGN(session_, queries_.Session());
  CROQ_TRY(CheckIsWanted(session_, wanted, paths_.Journal()));
  environment_ = wanted.environment;
  opened_.environment_changes = Differences(session_.environment, environment_);
  CROQ_ASSIGN(const std::int64_t trials, queries_.TrialCount());
  next_trial_ = trials + 1;
  CROQ_TRY(FinishAttemptMoves());
  CROQ_ASSIGN(const std::vector<std::string> repaired, RepairViews());
  opened_.repairs.insert(opened_.repairs.end(), repaired.begin(), repaired.end());
  return {};
}

Status Journal::Write(const std::function<Status()>& body) {
  {
    CROQ_ASSIGN(Transaction transaction, Transaction::Begin(database_));
    CROQ_TRY(WriteBuffered());
    CROQ_TRY(body());
    if (run_ != 0) {
      CROQ_ASSIGN(Statement touch, database_.Prepare("UPDATE runs SET last_at = ? WHERE id = ?"));
      CROQ_TRY(touch.Bind(UnixMillis()).Bind(run_).Run());
    }
    CROQ_TRY(transaction.Commit());
  }
  buffer_.clear();
  return {};
}

Status Journal::WriteBuffered() {
  if (buffer_.empty()) return {};
  CROQ_ASSIGN(Statement insert, PrepareTrialInsert(database_));
  for (const Trial& trial : buffer_) CROQ_TRY(InsertTrial(insert, run_, trial));
  return {};
}

Status Journal::AcceptEnvironment() {
  const auto rows = [&]() -> Status {
    CROQ_ASSIGN(Statement update, database_.Prepare("UPDATE session SET environment = ?"));
    return update.Bind(ToJsonText(environment_)).Run();
  };
  CROQ_TRY(Write(rows));
  session_.environment = environment_;
  opened_.environment_changes.clear();
  return {};
}

Result<std::optional<UnfinishedRun>> Journal::FindUnfinishedRun() const {
  if (run_ != 0) return std::optional<UnfinishedRun>();
  return queries_.LastUnfinishedRun();
}

Result<std::int64_t> Journal::StartRun(const nlohmann::json& argv, const nlohmann::json& budget,
                                       std::optional<std::int64_t> continues) {
  if (run_ != 0) return Failure(fmt::format("run {} is not finished", run_));
  std::int64_t id = 0;
  const auto rows = [&]() -> Status {
    CROQ_TRY(database_.Execute("UPDATE runs SET status = 'killed' WHERE status = 'running'"));
    CROQ_ASSIGN(Statement insert,
                database_.Prepare("INSERT INTO runs (continues, argv, budget, environment, status,"
                                  " started_at, last_at) VALUES (?, ?, ?, ?, 'running', ?, ?)"));
    if (continues) {
      insert.Bind(*continues);
    } else {
      insert.BindNull();
    }
    const std::int64_t now = UnixMillis();
    insert.Bind(Dump(argv)).Bind(Dump(budget)).Bind(ToJsonText(environment_)).Bind(now).Bind(now);
    CROQ_TRY(insert.Run());
    CROQ_ASSIGN(id, database_.QueryInt("SELECT max(id) FROM runs"));
    return {};
  };
  CROQ_TRY(Write(rows));
  run_ = id;
  return id;
}

Status Journal::FinishRun(RunStatus status) {
  const auto rows = [&]() -> Status {
    CROQ_ASSIGN(Statement update, database_.Prepare("UPDATE runs SET status = ? WHERE id = ?"));
    return update.Bind(NameOf(status)).Bind(run_).Run();
  };
  CROQ_TRY(Write(rows));
  run_ = 0;
  return {};
}

Result<std::int64_t> Journal::AppendTrial(Trial trial, SteadyTime now) {
  if (buffer_.empty()) oldest_ = now;
  trial.id = next_trial_++;
  if (trial.at_millis == 0) trial.at_millis = UnixMillis();
  buffer_.push_back(std::move(trial));
  const std::int64_t id = buffer_.back().id;
  CROQ_TRY(FlushIfDue(now));
  return id;
}

Status Journal::FlushIfDue(SteadyTime now) {
  if (buffer_.empty() || now - oldest_ < kMaxBatchAge) return {};
  return Flush();
}

Status Journal::Flush() {
  if (buffer_.empty()) return {};
  return Write([]() -> Status { return {}; });
}

Status Journal::SetFact(const std::string& key, const nlohmann::json& value) {
  return Write([&] { return PutFact(database_, key, Dump(value), UnixMillis()); });
}

Result<std::optional<nlohmann::json>> Journal::Fact(const std::string& key) const {
  CROQ_ASSIGN(const std::optional<std::string> text, queries_.FactText(key));
  if (!text) return std::optional<nlohmann::json>();
  nlohmann::json value = nlohmann::json::parse(*text, nullptr, false);
  if (value.is_discarded()) {
    return Failure(fmt::format("fact '{}' in {} is not JSON", key, paths_.Journal().string()));
  }
  return std::optional<nlohmann::json>(std::move(value));
}

}  // namespace croq::journal
