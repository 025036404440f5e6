#include "croq/protocol/worker_messages.h"

#include <fmt/format.h>

#include "croq/protocol/compile_fields.h"
#include "croq/protocol/message_types.h"
#include "croq/protocol/plan_fields.h"
#include "croq/protocol/visible_device.h"

namespace croq::protocol {
namespace {

/// The problem by its parts: workers need no parser of shape keys.
template <typename V>
void DescribeShape(V& visit, typename V::template Ref<ShapeKey> shape) {
  if constexpr (V::kReads) {
    std::string op;
    std::string dtype;
    visit("operator", op);
    visit("dtype", dtype);
    visit("m", shape.m);
    visit("n", shape.n);
    visit("k", shape.k);
    if (!visit.status())
      return;
    auto parsed =
        ParseShapeKey(fmt::format("{}_{}_{}x{}x{}", op, dtype, shape.m, shape.n, shape.k));
    if (!parsed) {
      visit.Fail(parsed.error().message);
    } else {
      shape = std::move(*parsed);
    }
  } else {
    visit("operator", std::string(NameOf(shape.op)));
    visit("dtype", std::string(FactsOf(shape.dtype).name));
    visit("m", shape.m);
    visit("n", shape.n);
    visit("k", shape.k);
  }
}

/// What the entry is and what it is called with: a brought problem says both.
template <typename V, typename Request>
void DescribeTask(V& visit, Request& request) {
  visit("problem", request.problem);
  if (request.problem)
    return;
  visit("entry", request.entry);
  DescribeShape(visit, request.shape);
}

}  // namespace

template <typename V>
void Describe(V& visit, typename V::template Ref<CaptureRequest> request) {
  visit("source", request.source);
  DescribeTask(visit, request);
  DescribeDevice(visit, request.device);
  visit("timeout_s", request.timeout_s);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<CapturedKernel> kernel) {
  visit("kernel", kernel.kernel);
  visit("parameters", kernel.parameters);
  visit("options", kernel.options);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<CapturedPlan> plan) {
  visit("kernels", plan.kernels);
  visit("buffers", plan.buffers);
  visit("steps", plan.steps);
  if constexpr (V::kReads) {
    const Status checked = CheckPlanIndexes(plan.kernels.size(), plan.buffers, plan.steps);
    if (!checked)
      visit.Fail(checked.error().message);
  }
}

template <typename V>
void Describe(V& visit, typename V::template Ref<CaptureReply> reply) {
  visit("ok", reply.ok);
  if (reply.ok) {
    visit("plan", reply.plan);
    visit("returned", reply.returned);
  } else {
    visit("outcome", reply.outcome);
    visit("message", reply.message);
  }
}

template <typename V>
void Describe(V& visit, typename V::template Ref<InterpretRequest> request) {
  visit("source", request.source);
  DescribeTask(visit, request);
  visit.Optional("overrides", request.overrides);
  visit("seed", request.seed);
  visit("max_abs_tolerance", request.max_abs_tolerance);
  visit("timeout_s", request.timeout_s);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<InterpretReply> reply) {
  visit("ok", reply.ok);
  if (reply.ok) {
    visit("passed", reply.passed);
    visit("max_abs_err", reply.max_abs_err);
    visit("worst_ratio", reply.worst_ratio);
    visit("nan_count", reply.nan_count);
    visit("checked_as", reply.checked_as);
  } else {
    visit("outcome", reply.outcome);
    visit("message", reply.message);
  }
}

template <typename V>
void Describe(V& visit, typename V::template Ref<ReferenceRequest> request) {
  visit("source", request.source);
  visit("problem", request.problem);
  visit("inputs", request.inputs);
  visit("outputs", request.outputs);
  visit("device", request.device);
  visit("time", request.time);
  visit("timeout_s", request.timeout_s);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<ReferenceReply> reply) {
  visit("ok", reply.ok);
  if (reply.ok) {
    visit("contract_ms", reply.contract_ms);
    visit("cold_ms", reply.cold_ms);
    visit("time_problem", reply.time_problem);
  } else {
    visit("outcome", reply.outcome);
    visit("message", reply.message);
  }
}

using nlohmann::json;

json Encode(const CaptureRequest& request) {
  return EncodeMessage(kCaptureType, request);
}
json Encode(const CaptureReply& reply) {
  return EncodeMessage(kCapturedType, reply);
}
json Encode(const InterpretRequest& request) {
  return EncodeMessage(kInterpretType, request);
}
json Encode(const InterpretReply& reply) {
  return EncodeMessage(kInterpretedType, reply);
}

json Encode(const ReferenceRequest& request) {
  return EncodeMessage(kReferenceType, request);
}
json Encode(const ReferenceReply& reply) {
  return EncodeMessage(kReferencedType, reply);
}
Result<ReferenceRequest> DecodeReferenceRequest(const json& message) {
  return DecodeMessage<ReferenceRequest>(kReferenceType, message);
}
Result<ReferenceReply> DecodeReferenceReply(const json& message) {
  return DecodeMessage<ReferenceReply>(kReferencedType, message);
}

Result<CaptureRequest> DecodeCaptureRequest(const json& message) {
  return DecodeMessage<CaptureRequest>(kCaptureType, message);
}
Result<CaptureReply> DecodeCaptureReply(const json& message) {
  return DecodeMessage<CaptureReply>(kCapturedType, message);
}
Result<InterpretRequest> DecodeInterpretRequest(const json& message) {
  return DecodeMessage<InterpretRequest>(kInterpretType, message);
}
Result<InterpretReply> DecodeInterpretReply(const json& message) {
  return DecodeMessage<InterpretReply>(kInterpretedType, message);
}

}  // namespace croq::protocol
