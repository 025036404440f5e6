#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "croq/base/result.h"

namespace croq::protocol {

/// What every request and reply carries beside its own fields. A hello has no id (0).
struct Envelope {
  std::string type;
  std::int64_t id = 0;
};

/// Error: no type, or an id that is not a whole number.
Result<Envelope> DecodeEnvelope(const nlohmann::json& message);

/// Sets the message's id.
nlohmann::json WithId(nlohmann::json message, std::int64_t id);

/// The answer to a message that the peer can't make sense of: the sender's fault, not a
/// candidate's.
struct ErrorReply {
  std::string message;
};

nlohmann::json Encode(const ErrorReply& reply);
Result<ErrorReply> DecodeErrorReply(const nlohmann::json& message);

}  // namespace croq::protocol
