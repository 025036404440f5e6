#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "croq/backend/python_workers.h"
#include "croq/base/result.h"
#include "croq/protocol/worker_messages.h"

namespace croq::protocol {
struct EvaluateReply;
struct EvaluateRequest;
}

/// Clients of the workers that are asked one thing at a time. What a candidate does wrong is data
/// in the reply; an error means that the worker can't be started, or that the two sides do not
/// understand one another. Each starts its worker with the first request.
namespace croq::backend {

class WorkerClient;

/// Runs a candidate's host function under the recording driver.
class CaptureClient {
 public:
  CaptureClient(const PythonWorkers& workers, const std::filesystem::path& scratch);
  ~CaptureClient();
  /// Starts the worker without waiting for it.
  void Begin();
  Result<protocol::CaptureReply> Capture(const protocol::CaptureRequest& request);
  /// Imports the file for what its autotuners hold.
  Result<protocol::EvaluateReply> Evaluate(const protocol::EvaluateRequest& request);

 private:
  std::unique_ptr<WorkerClient> worker_;
};

/// Runs a script's entry in Triton's interpreter on a small problem.
class InterpreterClient {
 public:
  InterpreterClient(const PythonWorkers& workers, const std::filesystem::path& scratch);
  ~InterpreterClient();
  Result<protocol::InterpretReply> Interpret(const protocol::InterpretRequest& request);

 private:
  std::unique_ptr<WorkerClient> worker_;
};

/// Runs a brought file's reference function.
class ReferenceClient {
 public:
  /// `device`: of the requests to come; the worker sees no GPU where it is "cpu".
  ReferenceClient(const PythonWorkers& workers, const std::filesystem::path& scratch,
                  const std::string& device);
  ~ReferenceClient();
  /// Starts the worker without waiting for it.
  void Begin();
  Result<protocol::ReferenceReply> Compute(const protocol::ReferenceRequest& request);

 private:
  std::unique_ptr<WorkerClient> worker_;
};

}  // namespace croq::backend
