#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "croq/backend/source_reader.h"
#include "croq/backend/worker_process.h"
#include "croq/protocol/compile_messages.h"

/// Inside the backend only.
namespace croq::backend {

/// A file on its way through a parse worker.
struct ParseJob {
  std::size_t index = 0;
  std::string path;
  std::string bytes;
  int failures = 0;  ///< workers that died on it
};

/// One parse worker and the files that it has been sent, the first of them under way. A second one
/// is sent ahead, so that the worker never waits for the engine.
class ParseSlot {
 public:
  explicit ParseSlot(const SourceReader::Options& options) : options_(options) {}

  /// Whether this job can be sent now without waiting for the worker to take it in.
  bool HasRoomFor(const ParseJob& job) const;
  bool Idle() const { return sent_.empty(); }
  /// Starts the worker where there is none. Error: it does not start.
  Status Send(ParseJob job);

  struct Event {
    enum class Kind { kNothing, kDone, kLost };
    Kind kind = Kind::kNothing;
    std::optional<ParseJob> job;  ///< of kDone, and the one under way of kLost
    ParsedFile file;              ///< of kDone
    std::string reason;           ///< of kLost: how the worker died
  };
  /// Takes in what has come, and checks the deadline. Error: the two sides do not understand one
  /// another.
  Result<Event> Step();
  /// After kLost or a timeout: what else the worker had been sent.
  std::deque<ParseJob> TakeUnread() { return std::exchange(sent_, {}); }

  /// The engine was busy elsewhere for this long; that is not the worker's fault.
  void Extend(SteadyTime::duration by) { deadline_ += by; }
  SteadyTime deadline() const { return deadline_; }  ///< meaningless while idle
  const WorkerProcess* process() const { return process_ ? &*process_ : nullptr; }

 private:
  Status EnsureStarted();
  Result<Event> OnMessage(nlohmann::json message);
  Event Lost(const std::string& reason);

  const SourceReader::Options& options_;
  std::optional<WorkerProcess> process_;
  std::deque<ParseJob> sent_;
  SteadyTime deadline_;
  std::int64_t next_id_ = 0;
};

}  // namespace croq::backend
