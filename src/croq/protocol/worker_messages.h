#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/compile_job.h"
#include "croq/model/config.h"
#include "croq/model/device.h"
#include "croq/model/launch_plan.h"
#include "croq/model/outcome.h"
#include "croq/model/shape_key.h"

/// Messages of the workers that run a candidate's host code: capture (recording its launches) and
/// interpret (Triton's interpreter on the CPU). ids are set with WithId (envelope.h).
namespace croq::protocol {

/// Run `entry(a, b)` of the file with operands of this problem under the recording driver.
struct CaptureRequest {
  std::string source;  ///< absolute path
  std::string entry;   ///< host function, kernel_fn
  ShapeKey shape;
  DeviceFacts device;  ///< what the candidate's code may ask of the device
  double timeout_s = 60;
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
  std::string returned;  ///< name of the buffer that the host function returned
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

nlohmann::json Encode(const CaptureRequest& request);
nlohmann::json Encode(const CaptureReply& reply);
nlohmann::json Encode(const InterpretRequest& request);
nlohmann::json Encode(const InterpretReply& reply);
Result<CaptureRequest> DecodeCaptureRequest(const nlohmann::json& message);
Result<CaptureReply> DecodeCaptureReply(const nlohmann::json& message);
Result<InterpretRequest> DecodeInterpretRequest(const nlohmann::json& message);
Result<InterpretReply> DecodeInterpretReply(const nlohmann::json& message);

}  // namespace croq::protocol
