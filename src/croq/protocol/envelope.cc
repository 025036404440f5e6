#include "croq/protocol/envelope.h"

#include "croq/protocol/fields.h"
#include "croq/protocol/message_types.h"

namespace croq::protocol {

template <typename V>
void Describe(V& visit, typename V::template Ref<ErrorReply> reply) {
  visit("message", reply.message);
}

Result<Envelope> DecodeEnvelope(const nlohmann::json& message) {
  Envelope envelope;
  FieldReader reader(message);
  reader("type", envelope.type);
  reader.Optional("id", envelope.id);
  CROQ_TRY(reader.status());
  return envelope;
}

nlohmann::json WithId(nlohmann::json message, std::int64_t id) {
  message["id"] = id;
  return message;
}

nlohmann::json Encode(const ErrorReply& reply) {
  return EncodeMessage(kErrorType, reply);
}

Result<ErrorReply> DecodeErrorReply(const nlohmann::json& message) {
  return DecodeMessage<ErrorReply>(kErrorType, message);
}

}  // namespace croq::protocol
