#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/device.h"
#include "croq/model/outcome.h"

/// Messages about the configurations that a file makes when it is imported; the capture worker
/// answers them. ids are set with WithId (envelope.h).
namespace croq::protocol {

/// Import the file where nothing needs a GPU, and say what its autotuners hold.
struct EvaluateRequest {
  std::string source;                         ///< absolute path
  std::map<std::string, std::int64_t> shape;  ///< values of parameters, for pruners; may be empty
  DeviceFacts device;                         ///< what the file's code may ask of the device
  double timeout_s = 60;
};

struct EvaluatedConfig {
  nlohmann::json kwargs;  ///< name: {"value": literal} or {"text": what Python prints}
  std::map<std::string, std::int64_t> options;  ///< num_warps, num_stages, num_ctas, maxnreg
  bool pre_hook = false;
};

struct EvaluatedKernel {
  std::string name;      ///< path in the module: k, Class.k, table['a']
  std::string function;  ///< the kernel's function
  int line = 0;          ///< of its first decorator, or of its def
  std::vector<EvaluatedConfig> configs;
  bool prunes = false;   ///< there is a pruner and it was called with the shape
  std::vector<EvaluatedConfig> pruned;  ///< where `prunes`: what it left
  std::string problem;   ///< what is wrong with the pruner at this shape; empty: nothing
};

struct EvaluateReply {
  bool ok = false;
  std::vector<EvaluatedKernel> kernels;  ///< where ok
  // where not ok
  Outcome outcome = Outcome::kRuntime;
  std::string message;
};

nlohmann::json Encode(const EvaluateRequest& request);
nlohmann::json Encode(const EvaluateReply& reply);
Result<EvaluateRequest> DecodeEvaluateRequest(const nlohmann::json& message);
Result<EvaluateReply> DecodeEvaluateReply(const nlohmann::json& message);

}  // namespace croq::protocol
