#include "croq/protocol/compile_messages.h"

#include "croq/base/base64.h"
#include "croq/protocol/compile_fields.h"
#include "croq/protocol/message_types.h"
#include "croq/protocol/plan_fields.h"

namespace croq::protocol {

using nlohmann::json;

template <typename V>
void Describe(V& visit, typename V::template Ref<CompileRequest> request) {
  visit("source", request.job.source_path);
  visit("kernel", request.job.kernel);
  visit("parameters", request.job.parameters);
  visit("options", request.job.options);
  visit("target", request.job.compute_capability);
  visit("out", request.out);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<CompileReply> reply) {
  visit("ok", reply.ok);
  if (reply.ok) {
    DescribeMetadata(visit, reply.kernel);
    visit("warp_specialized", reply.warp_specialized);
    visit("wgmma_serialized", reply.wgmma_serialized);
    visit("compile_ms", reply.compile_ms);
  } else {
    visit("outcome", reply.outcome);
    visit("error", reply.error);
    visit("message", reply.message);
    visit("retire", reply.retire);
  }
}

template <typename V>
void Describe(V& visit, typename V::template Ref<ParseRequest> request) {
  visit("source", request.source);
  if constexpr (V::kReads) {
    std::string text;
    visit("bytes", text);
    auto bytes = DecodeBase64(text);
    if (!bytes) {
      visit.Fail("field 'bytes': " + bytes.error().message);
      return;
    }
    request.bytes = std::move(*bytes);
  } else {
    visit("bytes", EncodeBase64(request.bytes));
  }
}

template <typename V>
void Describe(V& visit, typename V::template Ref<ParseReply> reply) {
  visit("ok", reply.ok);
  if (reply.ok) {
    if constexpr (V::kReads) {
      json tree;
      visit("tree", tree);
      reply.tree = std::make_shared<const json>(std::move(tree));
    } else {
      visit("tree", reply.tree ? *reply.tree : json());
    }
  } else {
    visit("message", reply.message);
    visit("line", reply.line);
    visit("column", reply.column);
  }
}

json Encode(const CompileRequest& request) {
  return EncodeMessage(kCompileType, request);
}
json Encode(const CompileReply& reply) {
  return EncodeMessage(kCompiledType, reply);
}
json Encode(const ParseRequest& request) {
  return EncodeMessage(kParseType, request);
}
json Encode(const ParseReply& reply) {
  return EncodeMessage(kParsedType, reply);
}

Result<CompileRequest> DecodeCompileRequest(const json& message) {
  return DecodeMessage<CompileRequest>(kCompileType, message);
}
Result<CompileReply> DecodeCompileReply(const json& message) {
  return DecodeMessage<CompileReply>(kCompiledType, message);
}
Result<ParseRequest> DecodeParseRequest(const json& message) {
  return DecodeMessage<ParseRequest>(kParseType, message);
}
Result<ParseReply> DecodeParseReply(const json& message) {
  return DecodeMessage<ParseReply>(kParsedType, message);
}

}  // namespace croq::protocol
