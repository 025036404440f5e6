#pragma once

#include <sys/types.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "croq/base/fd.h"

namespace croq::testing {

/// A croq-runner of this build ($CROQ_RUNNER names another), spoken to over its descriptors.
class RunnerProcess {
 public:
  /// `environment` is set in the child beside the test's own.
  explicit RunnerProcess(const std::map<std::string, std::string>& environment);
  ~RunnerProcess();
  RunnerProcess(const RunnerProcess&) = delete;
  RunnerProcess& operator=(const RunnerProcess&) = delete;

  /// The next message from the runner; nothing when it has closed its end.
  std::optional<nlohmann::json> Receive();
  void Send(const nlohmann::json& message);
  void SendBytes(const std::string& bytes);
  std::optional<nlohmann::json> Ask(const nlohmann::json& message);

  /// Closes the runner's requests.
  void CloseRequests() { requests_.Close(); }
  /// Waits for its end: the exit code, or minus the signal.
  int Wait();

 private:
  pid_t pid_ = -1;
  Fd requests_;
  Fd replies_;
};

}  // namespace croq::testing
