#include "croq/protocol/hello.h"

#include <fmt/format.h>

#include "croq/protocol/fields.h"
#include "croq/protocol/message_types.h"
#include "croq/protocol/version.h"

namespace croq::protocol {

using nlohmann::json;

template <typename V>
void Describe(V& visit, typename V::template Ref<WorkerHello> hello) {
  visit("worker", hello.worker);
  visit("protocol", hello.protocol);
  visit("croq", hello.croq);
  visit("pid", hello.pid);
  visit("python", hello.python);
  visit("triton", hello.triton);
  visit("torch", hello.torch);
  visit("numpy", hello.numpy);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<RunnerDevice> device) {
  visit("ordinal", device.ordinal);
  visit("name", device.name);
  visit("compute_capability", device.compute_capability);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<RunnerHello> hello) {
  visit("protocol", hello.protocol);
  visit("croq", hello.croq);
  visit("pid", hello.pid);
  visit("cuda", hello.cuda);
  visit("problem", hello.problem);
  visit("driver_version", hello.driver_version);
  visit("devices", hello.devices);
}

json Encode(const WorkerHello& hello) {
  return EncodeMessage(kHelloType, hello);
}

json Encode(const RunnerHello& hello) {
  json message = EncodeMessage(kHelloType, hello);
  message["worker"] = "runner";
  return message;
}

Result<WorkerHello> DecodeWorkerHello(const json& message) {
  return DecodeMessage<WorkerHello>(kHelloType, message);
}

Result<RunnerHello> DecodeRunnerHello(const json& message) {
  return DecodeMessage<RunnerHello>(kHelloType, message);
}

Status CheckVersions(const std::string& who, int protocol, const std::string& croq) {
  if (protocol == kProtocolVersion && croq == kCroqVersion)
    return {};
  return Failure(fmt::format(
      "{} is of croq {} (protocol {}), the engine of {} (protocol {}): install them together", who,
      croq, protocol, kCroqVersion, kProtocolVersion));
}

}  // namespace croq::protocol
