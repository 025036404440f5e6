// The part of Journal that numbers iterations and attempts and keeps the views beside them.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "croq/journal/attempt_files.h"
#include "croq/journal/journal.h"
#include "croq/journal/views.h"
#include "croq/journal/writes.h"

namespace croq::journal {
namespace {

void FillIdea(std::optional<Idea>& idea, const std::string& iter, Decision decision,
              std::int64_t now_millis) {
  if (!idea) return;
  idea->iter = iter;
  idea->decision = decision;
  if (idea->at_millis == 0) idea->at_millis = now_millis;
}

tl::unexpected<Error> NotOpen(int number, const std::string& tag) {
  return Failure(fmt::format("{} with tag '{}' is not the iteration under way",
                             IterationName(number), tag));
}

}  // namespace

Result<int> Journal::BeginIteration(const std::string& tag, const std::string& config, int round) {
  if (!IsValidTag(tag)) {
    return UsageFailure(fmt::format("tag '{}': a tag is 2 to 31 of a-z, 0-9, _ and starts with a "
                                    "letter", tag));
  }
  CROQ_ASSIGN(const std::optional<OpenIteration> open, queries_.Open());
  if (open) {
    return Failure(fmt::format("{}_{} is still under way", IterationName(open->number), open->tag));
  }
  CROQ_TRY(FinishAttemptMoves());  // where an earlier try could not
  OpenIteration begun{0, tag, config, round};
  const auto rows = [&]() -> Status {
    CROQ_ASSIGN(const std::int64_t next, database_.QueryInt(
        "SELECT coalesce(max(number) + 1, 0) FROM iterations"));
    begun.number = static_cast<int>(next);
    return InsertOpenIteration(database_, run_, begun, UnixMillis());
  };
  CROQ_TRY(Write(rows));
  return begun.number;
}

Status Journal::CommitIteration(Iteration iteration, std::optional<Idea> idea) {
  CROQ_ASSIGN(const std::optional<OpenIteration> open, queries_.Open());
  if (!open || open->number != iteration.number || open->tag != iteration.tag) {
    return NotOpen(iteration.number, iteration.tag);
  }
  if (iteration.at_millis == 0) iteration.at_millis = UnixMillis();
  FillIdea(idea, IterationName(iteration.number), iteration.decision, iteration.at_millis);
  const auto rows = [&]() -> Status {
    CROQ_TRY(FinishIteration(database_, run_, iteration));
    if (idea) CROQ_TRY(InsertIdea(database_, *idea));
    return {};
  };
  CROQ_TRY(Write(rows));
  return AppendToViews([&]() -> Result<bool> {
    ViewFile& table = iteration.predicted ? predicted_ : results_;
    CROQ_ASSIGN(bool appended, table.Append(ResultsLine(iteration)));
    if (!idea) return appended;
    CROQ_ASSIGN(const bool idea_appended, ideas_.Append(IdeaLine(*idea)));
    return appended && idea_appended;
  });
}

Result<Attempt> Journal::AbandonIteration(int number, Attempt attempt, std::optional<Idea> idea) {
  CROQ_ASSIGN(const std::optional<OpenIteration> open, queries_.Open());
  if (!open || open->number != number) return NotOpen(number, attempt.tag);
  attempt.tag = open->tag;
  if (attempt.config.empty()) attempt.config = open->config;
  if (attempt.at_millis == 0) attempt.at_millis = UnixMillis();
  const auto rows = [&]() -> Status {
    CROQ_ASSIGN(const std::int64_t next, database_.QueryInt(
        "SELECT coalesce(max(number), 0) + 1 FROM attempts"));
    attempt.number = static_cast<int>(next);
    AttemptMove move{attempt.number, attempt.tag, number, "", ""};
    move.log = KeptLogPath(paths_, attempt.log, attempt.number, attempt.tag);
    if (!move.log.empty()) {
      move.log_from = attempt.log;
      attempt.log = move.log;
    }
    FillIdea(idea, AttemptName(attempt.number), Decision::kDiscard, attempt.at_millis);
    CROQ_TRY(DeleteOpenIteration(database_, number));
    CROQ_TRY(InsertAttempt(database_, run_, attempt, move));
    if (idea) CROQ_TRY(InsertIdea(database_, *idea));
    return {};
  };
  CROQ_TRY(Write(rows));
  CROQ_TRY(FinishAttemptMoves());
  const auto lines = [&]() -> Result<bool> {
    CROQ_ASSIGN(bool appended, attempts_.Append(AttemptLine(attempt)));
    if (!idea) return appended;
    CROQ_ASSIGN(const bool idea_appended, ideas_.Append(IdeaLine(*idea)));
    return appended && idea_appended;
  };
  CROQ_TRY(AppendToViews(lines));
  return attempt;
}

Status Journal::FinishAttemptMoves() {
  std::vector<AttemptMove> moves;
  {
    CROQ_ASSIGN(Statement row, database_.Prepare("SELECT number, tag, released, log, log_from FROM"
                                                 " attempts WHERE files_moved = 0"));
    while (true) {
      CROQ_ASSIGN(const bool found, row.Step());
      if (!found) break;
      moves.push_back({static_cast<int>(row.Int(0)), row.Text(1), static_cast<int>(row.Int(2)),
                       row.Text(3), row.Text(4)});
    }
  }
  if (moves.empty()) return {};
  for (const AttemptMove& move : moves) CROQ_TRY(MoveAttemptFiles(paths_, move));
  return Write([&] { return database_.Execute("UPDATE attempts SET files_moved = 1"); });
}

Status Journal::SetBottleneck(int number, const std::string& bottleneck) {
  const auto rows = [&]() -> Status {
    CROQ_ASSIGN(Statement update, database_.Prepare("UPDATE iterations SET bottleneck = ? WHERE "
                                                    "number = ? AND state = 'final'"));
    return update.Bind(bottleneck).Bind(number).Run();
  };
  CROQ_TRY(Write(rows));
  return AppendToViews([]() -> Result<bool> { return false; });
}

Status Journal::SetProfile(const std::string& config, const nlohmann::json& profile) {
  const std::string text =
      profile.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return Write([&] { return PutProfile(database_, config, text, UnixMillis()); });
}

/// Where a line could not simply be appended, the views are rewritten.
Status Journal::AppendToViews(const std::function<Result<bool>()>& append) {
  const auto appended = append();
  if (appended && *appended) return {};
  if (const auto repaired = RepairViews(); !repaired) {
    return Wrap(repaired.error(), "committed to the journal, but its views are behind until the "
                                  "session is opened again");
  }
  return {};
}

Result<std::vector<std::string>> Journal::RepairViews() {
  CROQ_ASSIGN(const std::vector<Iteration> iterations, queries_.Iterations());
  CROQ_ASSIGN(const std::vector<Idea> ideas, queries_.Ideas());
  CROQ_ASSIGN(const std::vector<Attempt> attempts, queries_.Attempts());
  const Views views = RenderViews(iterations, ideas, attempts);
  std::vector<std::string> repaired;
  for (auto [file, content] : {std::pair(&results_, &views.results),
                               std::pair(&predicted_, &views.predicted),
                               std::pair(&ideas_, &views.ideas),
                               std::pair(&attempts_, &views.attempts)}) {
    CROQ_ASSIGN(std::string sentence, file->Repair(*content));
    if (!sentence.empty()) repaired.push_back(std::move(sentence));
  }
  return repaired;
}

}  // namespace croq::journal
