#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/compile_job.h"
#include "croq/model/config.h"
#include "croq/model/device.h"
#include "croq/model/launch_plan.h"
#include "croq/model/outcome.h"
#include "croq/model/problem.h"
#include "croq/model/shape_key.h"

/// Messages of the workers that run a candidate's host code: capture (recording its launches),
/// interpret (Triton's interpreter on the CPU) and reference (a brought file's own torch function). ids are set with WithId (envelope.h).
namespace croq::protocol {

/// Run `entry(a, b)` of the file with operands of this problem under the recording driver; of a
/// brought problem its own entry with its own arguments, by name.
struct CaptureRequest {
  std::string source;  ///< absolute path
  std::string entry;   ///< host function, kernel_fn
  ShapeKey shape;
  DeviceFacts device;  ///< what the candidate's code may ask of the device
  double timeout_s = 60;
  std::optional<Problem> problem;  ///< `shape` and `entry` do not count then
};

/// One kernel that was launched, as the compile worker must build it.
struct CapturedKernel {
  std::string kernel;  ///< function name
  std::vector<KernelParameter> parameters;
  std::map<std::string, std::int64_t> options;
};

/// A LaunchPlan whose kernels are not compiled yet.
struct CapturedPlan {
  std::vector<CapturedKernel> kernels;
  std::vector<PlanBuffer> buffers;
  std::vector<PlanStep> steps;
};

struct CaptureReply {
  bool ok = false;
  // where ok
  CapturedPlan plan;
  /// Name of the buffer that the host function returned; of a brought problem the returned outputs'
  /// names, joined by ", ".
  std::string returned;
  // where not ok
  Outcome outcome = Outcome::kRuntime;
  std::string message;
};

/// Run `entry` of the file under Triton's interpreter on a small problem and check its output.
struct InterpretRequest {
  std::string source;  ///< absolute path
  std::string entry;
  ShapeKey shape;  ///< the small twin
  /// Module constants of the script to change for this run.
  std::map<std::string, LeverValue> overrides;
  std::uint64_t seed = 0;
  double max_abs_tolerance = 0;  ///< the contract's, for the dtype that is checked; 0: none
  double timeout_s = 60;
  /// A brought problem, of a size that an interpreter can bear. The reference is the file's own.
  std::optional<Problem> problem;  ///< `shape` and `entry` do not count then
};

struct InterpretReply {
  bool ok = false;  ///< it ran to its end; `passed` says whether it was right
  // where ok
  bool passed = false;
  double max_abs_err = 0;
  double worst_ratio = 0;  ///< error over the per-element bound, the largest
  std::int64_t nan_count = 0;
  std::string checked_as;  ///< dtype it was run in: bf16 runs as its f16 twin
  // where not ok
  Outcome outcome = Outcome::kRuntime;
  std::string message;
};

/// Run the reference function of a brought file on one set of inputs.
struct ReferenceRequest {
  std::string source;   ///< absolute path
  Problem problem;
  std::string inputs;   ///< absolute folder of <name>.bin, as the runner's InputsRequest wrote them
  std::string outputs;  ///< absolute folder that takes <name>.bin for the runner's ReferencesRequest
  std::string device = "cpu";  ///< or cuda:N
  bool time = false;    ///< on cuda: time the reference with the problem's own dtypes as well
  double timeout_s = 120;
};

struct ReferenceReply {
  bool ok = false;
  // where ok; milliseconds of one call, 0: not timed
  double contract_ms = 0;  ///< 10 warm-up and 50 timed calls between two events
  double cold_ms = 0;      ///< median of calls, the L2 flushed before each
  std::string time_problem;  ///< why it could not be timed though that was asked; empty: nothing
  // where not ok
  Outcome outcome = Outcome::kRuntime;
  std::string message;
};

nlohmann::json Encode(const CaptureRequest& request);
nlohmann::json Encode(const CaptureReply& reply);
nlohmann::json Encode(const InterpretRequest& request);
nlohmann::json Encode(const InterpretReply& reply);
Result<CaptureRequest> DecodeCaptureRequest(const nlohmann::json& message);
Result<CaptureReply> DecodeCaptureReply(const nlohmann::json& message);
Result<InterpretRequest> DecodeInterpretRequest(const nlohmann::json& message);
Result<InterpretReply> DecodeInterpretReply(const nlohmann::json& message);
nlohmann::json Encode(const ReferenceRequest& request);
nlohmann::json Encode(const ReferenceReply& reply);
Result<ReferenceRequest> DecodeReferenceRequest(const nlohmann::json& message);
Result<ReferenceReply> DecodeReferenceReply(const nlohmann::json& message);

}  // namespace croq::protocol
