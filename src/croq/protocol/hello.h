#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/result.h"

/// The first message of every child.
namespace croq::protocol {

/// From a Python worker. Absent versions: the package is not installed, or not used by this worker.
struct WorkerHello {
  std::string worker;  ///< "compile", "capture", "interpret"
  int protocol = 0;
  std::string croq;  ///< version
  int pid = 0;
  std::string python;
  std::optional<std::string> triton;
  std::optional<std::string> torch;
  std::optional<std::string> numpy;
};

struct RunnerDevice {
  int ordinal = 0;
  std::string name;
  int compute_capability = 0;
};

/// From croq-runner ("worker": "runner").
struct RunnerHello {
  int protocol = 0;
  std::string croq;
  int pid = 0;
  bool cuda = false;
  std::string problem;     ///< why there is no CUDA; empty where there is
  int driver_version = 0;  ///< cuDriverGetVersion(), 0 without CUDA
  std::vector<RunnerDevice> devices;
};

nlohmann::json Encode(const WorkerHello& hello);
nlohmann::json Encode(const RunnerHello& hello);
Result<WorkerHello> DecodeWorkerHello(const nlohmann::json& message);
Result<RunnerHello> DecodeRunnerHello(const nlohmann::json& message);

/// Error where the peer (`who` names it) speaks another protocol or is another version of croq.
Status CheckVersions(const std::string& who, int protocol, const std::string& croq);

}  // namespace croq::protocol
