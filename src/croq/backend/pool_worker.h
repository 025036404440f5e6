#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "croq/backend/compile_pool.h"
#include "croq/backend/worker_process.h"
#include "croq/model/compile_job.h"
#include "croq/protocol/compile_messages.h"

/// Inside the backend only.
namespace croq::backend {

/// One compile job on its way through the pool.
struct PoolJob {
  std::int64_t ticket = 0;
  std::int64_t id = 0;  ///< of the request; unique in the pool
  CompileJob job;
  int failures = 0;  ///< workers lost on it so far
  std::string log;   ///< what those workers printed
};

/// What one step of a worker brought.
struct PoolEvent {
  enum class Kind {
    kNothing,
    kReady,    ///< hello received
    kReply,    ///< `reply` to `job`
    kRefused,  ///< the worker could not make sense of `job`, or failed inside: `reason`
    kLost,     ///< it died, hung or talked nonsense: `reason`; `job` where it had one
  };
  Kind kind = Kind::kNothing;
  std::optional<PoolJob> job;
  std::filesystem::path out;  ///< folder that took the job's cubin
  protocol::CompileReply reply;
  std::string reason;
  bool timed_out = false;             ///< of kLost
  std::string output;                 ///< what was printed during the job
  std::chrono::milliseconds took{0};  ///< of kReply, wall time since the request
};

/// One place in the pool: a worker process, replaced when it is lost. Not thread-safe.
class PoolWorker {
 public:
  PoolWorker(const CompilePoolOptions& options, int index);
  PoolWorker(const PoolWorker&) = delete;
  PoolWorker& operator=(const PoolWorker&) = delete;
  ~PoolWorker();

  /// Starts a fresh process in a fresh scratch folder, after killing the one that is there.
  Status Restart();
  void Assign(PoolJob job, std::chrono::milliseconds deadline);
  /// Takes in what has come, and checks the deadline.
  PoolEvent Step();

  bool Idle() const { return state_ == State::kIdle; }
  SteadyTime deadline() const { return deadline_; }  ///< meaningless while idle
  const WorkerProcess* process() const { return process_ ? &*process_ : nullptr; }
  void LetGo();

  /// A job that only this place may run next: its worker was lost on it.
  std::optional<PoolJob> retry;
  /// Times in a row that a process was lost before it finished a job, not counting those that were
  /// lost on one.
  int barren_starts = 0;

 private:
  enum class State { kNone, kStarting, kIdle, kBusy };

  PoolEvent OnMessage(const nlohmann::json& message);
  PoolEvent Lost(std::string reason, bool timed_out);
  std::filesystem::path Scratch() const;

  CompilePoolOptions options_;
  int index_ = 0;
  int generation_ = 0;
  State state_ = State::kNone;
  std::optional<WorkerProcess> process_;
  std::optional<PoolJob> job_;
  std::filesystem::path out_;
  SteadyTime sent_;
  SteadyTime deadline_;
};

}  // namespace croq::backend
