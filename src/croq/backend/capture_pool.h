#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "croq/backend/python_workers.h"
#include "croq/backend/script_workers.h"

namespace croq::backend {

/// Some capture workers, each with a thread that asks it. The workers start at once, side by side;
/// nobody waits for them.
class CapturePool {
 public:
  /// Runs on a worker's thread; must not throw.
  using Job = std::function<void(CaptureClient&)>;

  /// `scratch`: one folder a worker below it.
  CapturePool(const PythonWorkers& workers, const std::filesystem::path& scratch, int count);
  /// Drops the jobs that wait, and waits for those that run.
  ~CapturePool();
  CapturePool(const CapturePool&) = delete;
  CapturePool& operator=(const CapturePool&) = delete;

  void Submit(Job job);
  int Count() const { return static_cast<int>(threads_.size()); }

 private:
  void Serve(CaptureClient& client);

  std::vector<std::unique_ptr<CaptureClient>> clients_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace croq::backend
