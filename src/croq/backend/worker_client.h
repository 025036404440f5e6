#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "croq/backend/python_workers.h"
#include "croq/backend/worker_process.h"
#include "croq/base/result.h"

/// Inside the backend only.
namespace croq::backend {

/// What became of one request to a worker.
struct Answer {
  enum class Kind {
    kReply,
    kRefused,  ///< the worker could not make sense of it: croq's own fault
    kLost,     ///< a second, fresh worker died on it too
    kTimeout,
  };
  Kind kind = Kind::kReply;
  nlohmann::json reply;  ///< of kReply
  std::string reason;    ///< of the others
  std::string output;    ///< what the worker printed meanwhile, capped
};

/// One Python worker that is asked one thing at a time. It starts with the first request; a worker
/// that is lost is replaced, and its request asked once more of the fresh one.
class WorkerClient {
 public:
  /// `scratch`: made when it is needed; the worker's caches and temporary files.
  WorkerClient(PythonWorkers workers, std::string kind, std::filesystem::path scratch,
               Sees sees = Sees::kNoGpu);

  /// Starts the process without waiting for it. What goes wrong shows at the first request.
  void Begin();

  /// `wait` counts from the request. Error: the worker can't be started (three times in a row).
  Result<Answer> Ask(nlohmann::json request, std::chrono::milliseconds wait);

 private:
  Status Ensure();
  Result<WorkerSpec> Spec();
  Answer AskOnce(const nlohmann::json& request, std::chrono::milliseconds wait);
  Answer Lost(Answer::Kind kind, std::string reason);

  PythonWorkers workers_;
  std::string kind_;
  std::filesystem::path scratch_;
  Sees sees_;
  std::optional<WorkerProcess> process_;
  bool greeted_ = false;  ///< process_ has said hello
  std::int64_t last_id_ = 0;
};

}  // namespace croq::backend
