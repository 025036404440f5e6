#include "croq/protocol/message_types.h"
#include "croq/protocol/plan_fields.h"
#include "croq/protocol/runner_messages_json.h"

namespace croq::protocol {

using nlohmann::json;

template <typename V>
void Describe(V& visit, typename V::template Ref<OpenRequest> request) {
  visit("ordinal", request.ordinal);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<BaselineLibraries> libraries) {
  visit("cublas", libraries.cublas);
  visit("cublas_lt", libraries.cublas_lt);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<PrepareRequest> request) {
  visit("shape", request.shape);
  visit("seed", request.seed);
  visit("max_abs_tolerance", request.max_abs_tolerance);
  visit("bound_constant", request.bound_constant);
  visit("libraries", request.libraries);
  visit("problem", request.problem);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<InputsRequest> request) {
  visit("set", request.set);
  visit("folder", request.folder);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<ReferencesRequest> request) {
  visit("set", request.set);
  visit("folder", request.folder);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<TrialRequest> request) {
  visit("plan", request.plan);
  visit("warmup", request.warmup);
  visit("samples", request.samples);
  visit("stop_above_ms", request.stop_above_ms);
  visit("halve_above_ms", request.halve_above_ms);
  visit("deadline_ms", request.deadline_ms);
  visit("check_all_sets", request.check_all_sets);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<DuelRequest> request) {
  visit("candidate", request.candidate);
  visit("reference", request.reference);
  visit("reference_plan", request.reference_plan);
  visit("warmup", request.warmup);
  visit("min_pairs", request.min_pairs);
  visit("max_pairs", request.max_pairs);
  visit("max_wall_ms", request.max_wall_ms);
  visit("deadline_ms", request.deadline_ms);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<TimeRequest> request) {
  visit("subject", request.subject);
  visit("plan", request.plan);
  visit("regime", request.regime);
  visit("deadline_ms", request.deadline_ms);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<HeuristicsRequest> request) {
  visit("count", request.count);
}

json Encode(const OpenRequest& request) {
  return EncodeMessage(kOpenType, request);
}
json Encode(const PrepareRequest& request) {
  return EncodeMessage(kPrepareType, request);
}
json Encode(const InputsRequest& request) {
  return EncodeMessage(kInputsType, request);
}
json Encode(const ReferencesRequest& request) {
  return EncodeMessage(kReferencesType, request);
}
json Encode(const TrialRequest& request) {
  return EncodeMessage(kTrialType, request);
}
json Encode(const DuelRequest& request) {
  return EncodeMessage(kDuelType, request);
}
json Encode(const TimeRequest& request) {
  return EncodeMessage(kTimeType, request);
}
json Encode(const HeuristicsRequest& request) {
  return EncodeMessage(kHeuristicsType, request);
}

Result<OpenRequest> DecodeOpenRequest(const json& message) {
  return DecodeMessage<OpenRequest>(kOpenType, message);
}
Result<PrepareRequest> DecodePrepareRequest(const json& message) {
  return DecodeMessage<PrepareRequest>(kPrepareType, message);
}
Result<InputsRequest> DecodeInputsRequest(const json& message) {
  return DecodeMessage<InputsRequest>(kInputsType, message);
}
Result<ReferencesRequest> DecodeReferencesRequest(const json& message) {
  return DecodeMessage<ReferencesRequest>(kReferencesType, message);
}
Result<TrialRequest> DecodeTrialRequest(const json& message) {
  return DecodeMessage<TrialRequest>(kTrialType, message);
}
Result<DuelRequest> DecodeDuelRequest(const json& message) {
  return DecodeMessage<DuelRequest>(kDuelType, message);
}
Result<TimeRequest> DecodeTimeRequest(const json& message) {
  return DecodeMessage<TimeRequest>(kTimeType, message);
}
Result<HeuristicsRequest> DecodeHeuristicsRequest(const json& message) {
  return DecodeMessage<HeuristicsRequest>(kHeuristicsType, message);
}

}  // namespace croq::protocol
