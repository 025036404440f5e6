#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "croq/base/result.h"
#include "croq/model/compile_job.h"
#include "croq/model/launch_plan.h"
#include "croq/model/outcome.h"

/// Messages of the compile and parse workers. ids are set with WithId (envelope.h).
namespace croq::protocol {

struct CompileRequest {
  CompileJob job;
  std::string out;  ///< absolute folder that takes the cubin
};

/// Fields beyond the outcome's own are empty.
struct CompileReply {
  bool ok = false;
  // where ok
  CompiledKernel kernel;          ///< without fingerprint, registers, local_bytes: from the cubin
  bool warp_specialized = false;  ///< ttg.warp_specialize stands in the ttgir
  bool wgmma_serialized = false;  ///< ptxas warned C7516: a bad sign for speed
  double compile_ms = 0;
  // where not ok
  Outcome outcome = Outcome::kCompile;
  std::string error;    ///< class of the exception
  std::string message;  ///< at most 2000 characters
  bool retire = false;  ///< the worker's state may be corrupt: replace it
};

struct ParseRequest {
  std::string source;  ///< path, for messages: the worker reads no file
  std::string bytes;   ///< the file's content; base64 on the wire
};

struct ParseReply {
  bool ok = false;
  /// where ok: CPython's ast of the bytes, in the form of croq_worker/compact_tree.py
  std::shared_ptr<const nlohmann::json> tree;
  // where not ok
  std::string message;
  int line = 0;  ///< 1-based; 0 where there is no place
  int column = 0;
};

nlohmann::json Encode(const CompileRequest& request);
nlohmann::json Encode(const CompileReply& reply);
nlohmann::json Encode(const ParseRequest& request);
nlohmann::json Encode(const ParseReply& reply);
Result<CompileRequest> DecodeCompileRequest(const nlohmann::json& message);
Result<CompileReply> DecodeCompileReply(const nlohmann::json& message);
Result<ParseRequest> DecodeParseRequest(const nlohmann::json& message);
Result<ParseReply> DecodeParseReply(const nlohmann::json& message);

}  // namespace croq::protocol
