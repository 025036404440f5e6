#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "croq/backend/adaptive_deadline.h"
#include "croq/backend/build_outcome.h"
#include "croq/backend/compile_pool.h"
#include "croq/backend/pool_worker.h"
#include "croq/base/fd.h"

/// Inside the backend only.
namespace croq::backend {

/// What the pool's caller and its thread share, under the mutex.
struct PoolShared {
  std::mutex mutex;
  std::condition_variable changed;  ///< a result or the fault has come
  std::deque<PoolJob> queue;
  std::deque<tune::BuildResult> results;
  std::optional<Error> fault;  ///< why the pool can't go on
  int pending = 0;
  int replacements = 0;
  bool stop = false;
};

/// The pool's thread: hands jobs to idle workers, polls all of them, replaces the lost ones.
class PoolLoop {
 public:
  /// `wake` becomes readable when the shared state has changed.
  PoolLoop(const CompilePoolOptions& options, PoolFolders folders, Fd wake, PoolShared& shared);

  /// Returns when told to stop, or on a fault; the workers are gone then.
  void Run();

 private:
  void StartWorkers();
  void AssignJobs();
  void WaitForEvents();
  void Handle(PoolWorker& worker, PoolEvent event);
  void OnReply(PoolWorker& worker, PoolEvent event);
  void OnRefused(PoolWorker& worker, PoolEvent event);
  void OnLost(PoolWorker& worker, PoolEvent event);
  void Replace(PoolWorker& worker);
  void Deliver(Result<tune::BuildResult> result);
  void Fail(Error error);
  bool Stopped();
  std::optional<PoolJob> TakeJob();

  CompilePoolOptions options_;
  PoolFolders folders_;
  Fd wake_;
  PoolShared& shared_;
  AdaptiveDeadline deadline_;
  std::deque<PoolWorker> workers_;  ///< a deque: they do not move
};

}  // namespace croq::backend
