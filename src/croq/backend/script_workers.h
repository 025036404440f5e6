#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "croq/backend/python_workers.h"
#include "croq/base/result.h"
#include "croq/model/config.h"
#include "croq/model/outcome.h"
#include "croq/model/shape_key.h"
#include "croq/protocol/compile_messages.h"
#include "croq/protocol/worker_messages.h"

/// Clients of the workers that are asked one thing at a time. What a candidate does wrong is data
/// in the reply; an error means that the worker can't be started, or that the two sides do not
/// understand one another. Each starts its worker with the first request.
namespace croq::backend {

class WorkerClient;

/// Asks CPython for the syntax tree of a source file. Nothing of the file is run.
class ParseClient {
 public:
  ParseClient(const PythonWorkers& workers, const std::filesystem::path& scratch);
  ~ParseClient();
  Result<protocol::ParseReply> Parse(const std::filesystem::path& source);

 private:
  std::unique_ptr<WorkerClient> worker_;
};

/// Runs a candidate's host function under the recording driver.
class CaptureClient {
 public:
  CaptureClient(const PythonWorkers& workers, const std::filesystem::path& scratch);
  ~CaptureClient();
  Result<protocol::CaptureReply> Capture(const protocol::CaptureRequest& request);

 private:
  std::unique_ptr<WorkerClient> worker_;
};

/// A script's entry to be run in Triton's interpreter on a small problem.
struct InterpretJob {
  std::filesystem::path source;  ///< absolute
  std::string entry = "kernel_fn";
  ShapeKey shape;                ///< the small twin
  /// Module constants of the script to change for this run (NUM_PROGRAMS on a machine of 3 SMs).
  std::map<std::string, LeverValue> overrides;
  std::uint64_t seed = 0;
  double max_abs_tolerance = 0;  ///< the contract's, for the dtype that is checked; 0: none
  double timeout_s = 60;
};

struct InterpretResult {
  bool ok = false;               ///< it ran to its end; `passed` says whether it was right
  // where ok
  bool passed = false;           ///< no NaN, inside the per-element bound and the tolerance
  double max_abs_err = 0;
  double worst_ratio = 0;        ///< error over per-element bound, the largest; above 1 it fails
  std::int64_t nan_count = 0;
  std::string checked_as;        ///< dtype it was run in: bf16 runs as its f16 twin
  // where not ok
  Outcome outcome = Outcome::kRuntime;
  std::string message;
};

class InterpreterClient {
 public:
  InterpreterClient(const PythonWorkers& workers, const std::filesystem::path& scratch);
  ~InterpreterClient();
  Result<InterpretResult> Interpret(const InterpretJob& job);

 private:
  std::unique_ptr<WorkerClient> worker_;
};

}  // namespace croq::backend
