#include "croq/protocol/evaluate_messages.h"

#include "croq/protocol/fields.h"
#include "croq/protocol/message_types.h"
#include "croq/protocol/visible_device.h"

namespace croq::protocol {

using nlohmann::json;

template <typename V>
void Describe(V& visit, typename V::template Ref<EvaluateRequest> request) {
  visit("source", request.source);
  visit("shape", request.shape);
  DescribeDevice(visit, request.device);
  visit("timeout_s", request.timeout_s);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<EvaluatedConfig> config) {
  visit("kwargs", config.kwargs);
  visit("options", config.options);
  visit("pre_hook", config.pre_hook);
  if constexpr (V::kReads) {
    if (visit.status() && !config.kwargs.is_object())
      visit.Fail("field 'kwargs': expected an object");
  }
}

template <typename V>
void Describe(V& visit, typename V::template Ref<EvaluatedKernel> kernel) {
  visit("name", kernel.name);
  visit("function", kernel.function);
  visit("line", kernel.line);
  visit("configs", kernel.configs);
  visit("prunes", kernel.prunes);
  visit("pruned", kernel.pruned);
  visit("problem", kernel.problem);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<EvaluateReply> reply) {
  visit("ok", reply.ok);
  if (reply.ok) {
    visit("kernels", reply.kernels);
  } else {
    visit("outcome", reply.outcome);
    visit("message", reply.message);
  }
}

json Encode(const EvaluateRequest& request) {
  return EncodeMessage(kEvaluateType, request);
}
json Encode(const EvaluateReply& reply) {
  return EncodeMessage(kEvaluatedType, reply);
}

Result<EvaluateRequest> DecodeEvaluateRequest(const json& message) {
  return DecodeMessage<EvaluateRequest>(kEvaluateType, message);
}
Result<EvaluateReply> DecodeEvaluateReply(const json& message) {
  return DecodeMessage<EvaluateReply>(kEvaluatedType, message);
}

}  // namespace croq::protocol
