#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/journal/queries.h"
#include "croq/journal/records.h"
#include "croq/journal/sqlite.h"
#include "croq/model/session_paths.h"

namespace croq::journal {

/// A session to be read, without its lock: a croq may be writing to it meanwhile.
class JournalReader {
 public:
  static Result<JournalReader> Open(const SessionPaths& paths);

  const Queries& read() const { return queries_; }

 private:
  explicit JournalReader(std::unique_ptr<Database> database)
      : database_(std::move(database)), queries_(database_.get()) {}

  std::unique_ptr<Database> database_;  // on the heap: queries_ points to it
  Queries queries_;
};

/// A session found on disk. One that can't be read has a problem instead of a summary.
struct SessionEntry {
  SessionPaths paths;
  std::optional<SessionSummary> summary;
  std::string problem;
};

/// `<gpu>/<dsl>/<shape_key>/<model>`, how a session is named on a command line.
std::string SessionName(const SessionPaths& paths);

/// Every session below `out`/tuning, by name. Empty where there are none.
Result<std::vector<SessionEntry>> ListSessions(const std::filesystem::path& out);

/// The indices of the names that `text` may mean: the whole name; or else whole neighbouring parts
/// of it (a shape key alone); or else any part. All, where the text is empty.
std::vector<std::size_t> MatchSessions(const std::vector<std::string>& names,
                                       const std::string& text);

}  // namespace croq::journal
