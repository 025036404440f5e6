#include "croq/backend/script_workers.h"

#include <fmt/format.h>

#include "croq/backend/worker_client.h"
#include "croq/protocol/evaluate_messages.h"

namespace croq::backend {
namespace {

using std::chrono::milliseconds;

/// Beyond a request's own time limit, which the worker keeps by itself: starting the child, and
/// killing it.
constexpr milliseconds kSlack{30'000};

milliseconds HostWait(double timeout_s) {
  return milliseconds(static_cast<std::int64_t>(timeout_s * 1000)) + kSlack;
}

tl::unexpected<Error> Refused(const std::string& what, const Answer& answer) {
  return Failure(fmt::format("the worker could not {}: {}", what, answer.reason));
}

/// Lost and timed out: the candidate's doing.
template <typename Reply>
Reply FailedReply(const Answer& answer) {
  Reply reply;
  reply.outcome = answer.kind == Answer::Kind::kTimeout ? Outcome::kTimeout : Outcome::kRuntime;
  reply.message = answer.reason;
  return reply;
}

}  // namespace

CaptureClient::CaptureClient(const PythonWorkers& workers, const std::filesystem::path& scratch)
    : worker_(std::make_unique<WorkerClient>(workers, "capture", scratch)) {}
CaptureClient::~CaptureClient() = default;

void CaptureClient::Begin() {
  worker_->Begin();
}

Result<protocol::CaptureReply> CaptureClient::Capture(const protocol::CaptureRequest& request) {
  CROQ_ASSIGN(const Answer answer,
              worker_->Ask(protocol::Encode(request), HostWait(request.timeout_s)));
  if (answer.kind == Answer::Kind::kRefused)
    return Refused("capture " + request.source, answer);
  if (answer.kind == Answer::Kind::kReply)
    return protocol::DecodeCaptureReply(answer.reply);
  return FailedReply<protocol::CaptureReply>(answer);
}

Result<protocol::EvaluateReply> CaptureClient::Evaluate(const protocol::EvaluateRequest& request) {
  CROQ_ASSIGN(const Answer answer,
              worker_->Ask(protocol::Encode(request), HostWait(request.timeout_s)));
  if (answer.kind == Answer::Kind::kRefused)
    return Refused("import " + request.source, answer);
  if (answer.kind == Answer::Kind::kReply)
    return protocol::DecodeEvaluateReply(answer.reply);
  return FailedReply<protocol::EvaluateReply>(answer);
}

InterpreterClient::InterpreterClient(const PythonWorkers& workers,
                                     const std::filesystem::path& scratch)
    : worker_(std::make_unique<WorkerClient>(workers, "interpret", scratch)) {}
InterpreterClient::~InterpreterClient() = default;

Result<protocol::InterpretReply> InterpreterClient::Interpret(
    const protocol::InterpretRequest& request) {
  CROQ_ASSIGN(const Answer answer,
              worker_->Ask(protocol::Encode(request), HostWait(request.timeout_s)));
  if (answer.kind == Answer::Kind::kRefused)
    return Refused("interpret " + request.source, answer);
  if (answer.kind == Answer::Kind::kReply)
    return protocol::DecodeInterpretReply(answer.reply);
  return FailedReply<protocol::InterpretReply>(answer);
}

ReferenceClient::ReferenceClient(const PythonWorkers& workers,
                                 const std::filesystem::path& scratch, const std::string& device)
    : worker_(std::make_unique<WorkerClient>(workers, "reference", scratch,
                                             device == "cpu" ? Sees::kNoGpu : Sees::kGpus)) {}
ReferenceClient::~ReferenceClient() = default;

void ReferenceClient::Begin() {
  worker_->Begin();
}

Result<protocol::ReferenceReply> ReferenceClient::Compute(
    const protocol::ReferenceRequest& request) {
  CROQ_ASSIGN(const Answer answer,
              worker_->Ask(protocol::Encode(request), HostWait(request.timeout_s)));
  if (answer.kind == Answer::Kind::kRefused)
    return Refused("compute the reference of " + request.source, answer);
  if (answer.kind == Answer::Kind::kReply)
    return protocol::DecodeReferenceReply(answer.reply);
  return FailedReply<protocol::ReferenceReply>(answer);
}

}  // namespace croq::backend
