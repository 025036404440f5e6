#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "croq/backend/runner_client.h"
#include "croq/backend/worker_process.h"

/// Inside the backend only.
namespace croq::backend {

/// One exchange with the runner: its reply, or how it was lost.
struct Exchange {
  std::optional<nlohmann::json> reply;
  bool timed_out = false;  ///< where there is no reply: it gave none in time
  std::string reason;      ///< where there is no reply
};

/// The runner's process and its restarts: start, hello, one request at a time, kill. It knows of no
/// request's meaning.
class RunnerProcess {
 public:
  explicit RunnerProcess(const RunnerOptions& options);

  bool Alive() const { return process_.has_value(); }
  /// Starts one where none is alive. An Exchange without a reply where it died before its hello;
  /// the reply is the hello. Error: it can't be started, or is not this version's.
  Result<Exchange> Start();
  /// Error: the runner refused the request as senseless ("error"), or could not do what every
  /// runner must; its words are the message.
  Result<Exchange> Ask(nlohmann::json request, std::chrono::milliseconds wait);
  /// Waits for its death and kills it otherwise. It said itself that its context is lost.
  void Retire();

  int starts() const { return starts_; }

 private:
  Exchange Lost(bool timed_out, std::string reason);

  RunnerOptions options_;
  std::optional<WorkerProcess> process_;
  std::int64_t last_id_ = 0;
  std::string log_prefix_;
  int starts_ = 0;
};

}  // namespace croq::backend
