#pragma once

#include <nlohmann/json_fwd.hpp>

#include "croq/base/result.h"
#include "croq/model/runner_messages.h"

/// Requests to croq-runner and its replies. Field names are the members' names; enums go by name, a
/// shape by its text, 64-bit bit sets and seeds as decimal strings. Unknown fields are ignored; a
/// missing or mistyped one is an error that names it. An Encode result carries its "type"; the id
/// is set with WithId (envelope.h).
namespace croq::protocol {

nlohmann::json Encode(const OpenRequest& request);
nlohmann::json Encode(const PrepareRequest& request);
nlohmann::json Encode(const InputsRequest& request);
nlohmann::json Encode(const ReferencesRequest& request);
nlohmann::json Encode(const TrialRequest& request);
nlohmann::json Encode(const DuelRequest& request);
nlohmann::json Encode(const TimeRequest& request);
nlohmann::json Encode(const HeuristicsRequest& request);

Result<OpenRequest> DecodeOpenRequest(const nlohmann::json& message);
Result<PrepareRequest> DecodePrepareRequest(const nlohmann::json& message);
Result<InputsRequest> DecodeInputsRequest(const nlohmann::json& message);
Result<ReferencesRequest> DecodeReferencesRequest(const nlohmann::json& message);
Result<TrialRequest> DecodeTrialRequest(const nlohmann::json& message);
Result<DuelRequest> DecodeDuelRequest(const nlohmann::json& message);
Result<TimeRequest> DecodeTimeRequest(const nlohmann::json& message);
Result<HeuristicsRequest> DecodeHeuristicsRequest(const nlohmann::json& message);

nlohmann::json Encode(const OpenReply& reply);
nlohmann::json Encode(const PrepareReply& reply);
nlohmann::json Encode(const InputsReply& reply);
nlohmann::json Encode(const ReferencesReply& reply);
nlohmann::json Encode(const TrialReply& reply);
nlohmann::json Encode(const DuelReply& reply);
nlohmann::json Encode(const TimeReply& reply);
nlohmann::json Encode(const HeuristicsReply& reply);

Result<OpenReply> DecodeOpenReply(const nlohmann::json& message);
Result<PrepareReply> DecodePrepareReply(const nlohmann::json& message);
Result<InputsReply> DecodeInputsReply(const nlohmann::json& message);
Result<ReferencesReply> DecodeReferencesReply(const nlohmann::json& message);
Result<TrialReply> DecodeTrialReply(const nlohmann::json& message);
Result<DuelReply> DecodeDuelReply(const nlohmann::json& message);
Result<TimeReply> DecodeTimeReply(const nlohmann::json& message);
Result<HeuristicsReply> DecodeHeuristicsReply(const nlohmann::json& message);

}  // namespace croq::protocol
