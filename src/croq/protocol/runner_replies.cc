#include "croq/protocol/fields.h"
#include "croq/protocol/message_types.h"
#include "croq/protocol/runner_messages_json.h"

namespace croq::protocol {

using nlohmann::json;

template <typename V>
void Describe(V& visit, typename V::template Ref<DeviceFacts> device) {
  visit("key", device.key);
  visit("name", device.name);
  visit("compute_capability", device.compute_capability);
  visit("sm_count", device.sm_count);
  visit("shared_bytes_per_block", device.shared_bytes_per_block);
  visit("shared_bytes_per_sm", device.shared_bytes_per_sm);
  visit("registers_per_sm", device.registers_per_sm);
  visit("l2_bytes", device.l2_bytes);
  visit("memory_bytes", device.memory_bytes);
  visit("memory_free_bytes", device.memory_free_bytes);
  visit("peak_tflops_f16", device.peak_tflops_f16);
  visit("peak_tflops_tf32", device.peak_tflops_tf32);
  visit("peak_tflops_f32", device.peak_tflops_f32);
  visit("memory_gb_per_s", device.memory_gb_per_s);
  visit("driver_version", device.driver_version);
  visit("measured", device.measured);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<OpenReply> reply) {
  visit("device", reply.device);
  visit("nvml", reply.nvml);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<PrepareReply> reply) {
  visit("input_sets", reply.input_sets);
  visit("device_bytes", reply.device_bytes);
  visit("input_ms", reply.input_ms);
  visit("baseline_problem", reply.baseline_problem);
  visit("baseline_kernel", reply.baseline_kernel);
  visit("copy_gbps", reply.copy_gbps);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<Check> check) {
  visit("passed", check.passed);
  visit("nan_count", check.nan_count);
  visit("inf_count", check.inf_count);
  visit("over_bound", check.over_bound);
  visit("max_abs_err", check.max_abs_err);
  visit("worst_ratio", check.worst_ratio);
  visit("worst_row", check.worst_row);
  visit("worst_column", check.worst_column);
  visit("guard_bytes_changed", check.guard_bytes_changed);
  visit("output_hash", check.output_hash);
  visit("tensor", check.tensor);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<Timing> timing) {
  visit("regime", timing.regime);
  visit("samples_ms", timing.samples_ms);
  visit("median_ms", timing.median_ms);
  visit("sm_clock_mhz", timing.sm_clock_mhz);
  visit("throttle_reasons", timing.throttle_reasons);
  visit("stopped_early", timing.stopped_early);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<Duel> duel) {
  visit("candidate_ms", duel.candidate_ms);
  visit("reference_ms", duel.reference_ms);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<InputsReply> reply) {
  visit("bytes", reply.bytes);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<ReferencesReply> reply) {
  visit("bytes", reply.bytes);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<TrialReply> reply) {
  visit("outcome", reply.outcome);
  visit("reason", reply.reason);
  visit("sticky", reply.sticky);
  visit("check", reply.check);
  visit("timing", reply.timing);
  visit("wall_ms", reply.wall_ms);
  visit("load_ms", reply.load_ms);
  visit("check_ms", reply.check_ms);
  visit("timing_ms", reply.timing_ms);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<DuelReply> reply) {
  visit("outcome", reply.outcome);
  visit("reason", reply.reason);
  visit("sticky", reply.sticky);
  visit("duel", reply.duel);
  visit("sm_clock_mhz", reply.sm_clock_mhz);
  visit("throttle_reasons", reply.throttle_reasons);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<TimeReply> reply) {
  visit("outcome", reply.outcome);
  visit("reason", reply.reason);
  visit("sticky", reply.sticky);
  visit("timing", reply.timing);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<HeuristicsReply> reply) {
  visit("problem", reply.problem);
  visit("tried", reply.tried);
  visit("best", reply.best);
  visit("first_ms", reply.first_ms);
  visit("best_ms", reply.best_ms);
}

json Encode(const OpenReply& reply) {
  return EncodeMessage(kOpenReplyType, reply);
}
json Encode(const PrepareReply& reply) {
  return EncodeMessage(kPrepareReplyType, reply);
}
json Encode(const InputsReply& reply) {
  return EncodeMessage(kInputsReplyType, reply);
}
json Encode(const ReferencesReply& reply) {
  return EncodeMessage(kReferencesReplyType, reply);
}
json Encode(const TrialReply& reply) {
  return EncodeMessage(kTrialReplyType, reply);
}
json Encode(const DuelReply& reply) {
  return EncodeMessage(kDuelReplyType, reply);
}
json Encode(const TimeReply& reply) {
  return EncodeMessage(kTimeReplyType, reply);
}
json Encode(const HeuristicsReply& reply) {
  return EncodeMessage(kHeuristicsReplyType, reply);
}

Result<OpenReply> DecodeOpenReply(const json& message) {
  return DecodeMessage<OpenReply>(kOpenReplyType, message);
}
Result<PrepareReply> DecodePrepareReply(const json& message) {
  return DecodeMessage<PrepareReply>(kPrepareReplyType, message);
}
Result<InputsReply> DecodeInputsReply(const json& message) {
  return DecodeMessage<InputsReply>(kInputsReplyType, message);
}
Result<ReferencesReply> DecodeReferencesReply(const json& message) {
  return DecodeMessage<ReferencesReply>(kReferencesReplyType, message);
}
Result<TrialReply> DecodeTrialReply(const json& message) {
  return DecodeMessage<TrialReply>(kTrialReplyType, message);
}
Result<DuelReply> DecodeDuelReply(const json& message) {
  return DecodeMessage<DuelReply>(kDuelReplyType, message);
}
Result<TimeReply> DecodeTimeReply(const json& message) {
  return DecodeMessage<TimeReply>(kTimeReplyType, message);
}
Result<HeuristicsReply> DecodeHeuristicsReply(const json& message) {
  return DecodeMessage<HeuristicsReply>(kHeuristicsReplyType, message);
}

}  // namespace croq::protocol
