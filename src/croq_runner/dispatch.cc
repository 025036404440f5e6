#include "croq_runner/dispatch.h"

#include <unistd.h>

#include <utility>

#include "croq/protocol/message_types.h"
#include "croq/protocol/runner_messages_json.h"
#include "croq/protocol/version.h"
#include "croq_runner/answer.h"
#include "croq_runner/device_facts.h"
#include "croq_runner/duel.h"
#include "croq_runner/regimes.h"
#include "croq_runner/trial.h"

namespace croq::runner {
namespace {

using nlohmann::json;
using protocol::Encode;

/// Devices by name and capability; one that can't be read is left out.
std::vector<protocol::RunnerDevice> ListDevices(const Driver& driver) {
  std::vector<protocol::RunnerDevice> devices;
  int count = 0;
  if (driver.DeviceGetCount(&count) != CUDA_SUCCESS)
    return devices;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    CUdevice device = 0;
    char name[256] = {};
    int major = 0;
    int minor = 0;
    const bool read =
        driver.DeviceGet(&device, ordinal) == CUDA_SUCCESS &&
        driver.DeviceGetName(name, sizeof name - 1, device) == CUDA_SUCCESS &&
        driver.DeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) ==
            CUDA_SUCCESS &&
        driver.DeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) ==
            CUDA_SUCCESS;
    if (read)
      devices.push_back({ordinal, name, 10 * major + minor});
  }
  return devices;
}

template <typename Reply>
Dispatcher::Answer AnswerOf(const Reply& reply) {
  int exit_code = 0;
  if (reply.sticky)
    exit_code = kExitContextLost;
  if (reply.outcome == Outcome::kTimeout)
    exit_code = kExitHung;
  return {Encode(reply), exit_code};
}

template <typename Reply>
json TimedOut() {
  Reply reply;
  reply.outcome = Outcome::kTimeout;
  reply.reason = "the driver did not return within the launch's deadline";
  return Encode(reply);
}

Dispatcher::Answer AnswerTo(const Error& error) {
  return {Encode(protocol::ErrorReply{error.message}), 0};
}

Dispatcher::Answer AnswerOf(const Result<json>& reply) {
  if (!reply)
    return AnswerTo(reply.error());
  return {*reply, 0};
}

}  // namespace

Dispatcher::Dispatcher(std::unique_ptr<Driver> driver, std::string problem, Watchdog* watchdog)
    : driver_(std::move(driver)), problem_(std::move(problem)), watchdog_(watchdog) {}

Dispatcher::~Dispatcher() = default;

protocol::RunnerHello Dispatcher::Hello() const {
  protocol::RunnerHello hello;
  hello.protocol = protocol::kProtocolVersion;
  hello.croq = protocol::kCroqVersion;
  hello.pid = ::getpid();
  hello.cuda = driver_ != nullptr;
  hello.problem = problem_;
  if (driver_ != nullptr) {
    hello.driver_version = driver_->version();
    hello.devices = ListDevices(*driver_);
  }
  return hello;
}

Dispatcher::Answer Dispatcher::Handle(const json& message) {
  const auto envelope = protocol::DecodeEnvelope(message);
  if (!envelope)
    return AnswerTo(envelope.error());
  Answer answer = Route(*envelope, message);
  answer.reply = protocol::WithId(std::move(answer.reply), envelope->id);
  return answer;
}

Dispatcher::Answer Dispatcher::Route(const protocol::Envelope& envelope, const json& message) {
  const std::string& type = envelope.type;
  if (type == protocol::kOpenType)
    return AnswerOf(Open(message));
  if (type == protocol::kPrepareType)
    return AnswerOf(Prepare(message));
  if (type == protocol::kInputsType)
    return AnswerOf(WriteInputs(message));
  if (type == protocol::kReferencesType)
    return AnswerOf(SetReferences(message));
  if (type == protocol::kHeuristicsType)
    return AnswerOf(FindHeuristics(message));
  const auto run = [&](auto decode, auto runs) -> Answer {
    const auto request = decode(message);
    if (!request)
      return AnswerTo(request.error());
    const Result<Bench*> bench = PreparedBench();
    if (!bench)
      return AnswerTo(bench.error());
    return AnswerOf(runs(**bench, *request));
  };
  if (type == protocol::kTrialType && bench_ != nullptr && bench_->prepared() &&
      !bench_->operands().Checkable(0)) {
    return AnswerTo(Error{ErrorKind::kFatal,
                          "a trial before its problem has a reference: send references first"});
  }
  if (type == protocol::kTrialType)
    return run(protocol::DecodeTrialRequest, RunTrial);
  if (type == protocol::kDuelType)
    return run(protocol::DecodeDuelRequest, RunDuel);
  if (type == protocol::kTimeType)
    return run(protocol::DecodeTimeRequest, RunTime);
  return AnswerTo(Error{ErrorKind::kFatal, "the runner knows no message of type '" + type + "'"});
}

Result<json> Dispatcher::Open(const json& message) {
  CROQ_ASSIGN(const OpenRequest request, protocol::DecodeOpenRequest(message));
  if (driver_ == nullptr)
    return Failure(problem_);
  bench_.reset();
  CROQ_ASSIGN(bench_, Bench::Open(*driver_, request.ordinal, watchdog_));
  return Encode(OpenReply{bench_->device(), bench_->has_nvml()});
}

Result<json> Dispatcher::Prepare(const json& message) {
  CROQ_ASSIGN(const PrepareRequest request, protocol::DecodePrepareRequest(message));
  if (bench_ == nullptr)
    return Failure("prepare before open: no device is open");
  CROQ_ASSIGN(const PrepareReply reply, bench_->Prepare(request));
  return Encode(reply);
}

Result<json> Dispatcher::WriteInputs(const json& message) {
  CROQ_ASSIGN(const InputsRequest request, protocol::DecodeInputsRequest(message));
  CROQ_ASSIGN(ProblemOperands* const problem, PreparedProblem());
  CROQ_ASSIGN(const InputsReply reply, problem->WriteInputs(request));
  return Encode(reply);
}

Result<json> Dispatcher::SetReferences(const json& message) {
  CROQ_ASSIGN(const ReferencesRequest request, protocol::DecodeReferencesRequest(message));
  CROQ_ASSIGN(ProblemOperands* const problem, PreparedProblem());
  CROQ_ASSIGN(const ReferencesReply reply, problem->SetReferences(request));
  return Encode(reply);
}

Result<json> Dispatcher::FindHeuristics(const json& message) {
  CROQ_ASSIGN(const HeuristicsRequest request, protocol::DecodeHeuristicsRequest(message));
  CROQ_ASSIGN(Bench* const bench, PreparedBench());
  if (bench->baseline() == nullptr) {
    HeuristicsReply reply;
    reply.problem = bench->baseline_problem();
    return Encode(reply);
  }
  CROQ_ASSIGN(const HeuristicsReply reply,
              bench->baseline()->FindBestHeuristic(request.count, bench->stream()));
  return Encode(reply);
}

Result<Bench*> Dispatcher::PreparedBench() {
  if (bench_ == nullptr || !bench_->prepared()) {
    return Failure("no operands are prepared: send open and prepare first");
  }
  return bench_.get();
}

Result<ProblemOperands*> Dispatcher::PreparedProblem() {
  CROQ_ASSIGN(Bench* const bench, PreparedBench());
  if (bench->problem() == nullptr)
    return Failure("what is prepared is a matmul: it has no inputs to write nor references to take");
  return bench->problem();
}

json Dispatcher::TimeoutReply(const protocol::Envelope& envelope) {
  json reply;
  if (envelope.type == protocol::kTrialType) {
    reply = TimedOut<TrialReply>();
  } else if (envelope.type == protocol::kDuelType) {
    reply = TimedOut<DuelReply>();
  } else if (envelope.type == protocol::kTimeType) {
    reply = TimedOut<TimeReply>();
  } else {
    reply = Encode(protocol::ErrorReply{"the driver did not return"});
  }
  return protocol::WithId(std::move(reply), envelope.id);
}

void Dispatcher::Abandon() {
  static_cast<void>(bench_.release());
  static_cast<void>(driver_.release());
}

}  // namespace croq::runner
