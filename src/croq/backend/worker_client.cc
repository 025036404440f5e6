#include "croq/backend/worker_client.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "croq/base/files.h"
#include "croq/protocol/envelope.h"
#include "croq/protocol/message_types.h"

namespace croq::backend {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kMaxStarts = 3;

}  // namespace

WorkerClient::WorkerClient(PythonWorkers workers, std::string kind, std::filesystem::path scratch,
                           Sees sees)
    : workers_(std::move(workers)),
      kind_(std::move(kind)),
      scratch_(std::move(scratch)),
      sees_(sees) {}

Result<WorkerSpec> WorkerClient::Spec() {
  CROQ_TRY(MakeDirectories(scratch_));
  std::error_code ignored;
  scratch_ = std::filesystem::absolute(scratch_, ignored);
  return MakeWorkerSpec(workers_, kind_, scratch_, sees_);
}

void WorkerClient::Begin() {
  if (process_)
    return;
  const Result<WorkerSpec> spec = Spec();
  if (!spec)
    return;
  if (Result<WorkerProcess> started = WorkerProcess::Start(*spec))
    process_.emplace(std::move(*started));
}

Status WorkerClient::Ensure() {
  if (process_ && greeted_)
    return {};
  CROQ_ASSIGN(const WorkerSpec spec, Spec());
  std::string problem;
  for (int attempt = 0; attempt < kMaxStarts; ++attempt) {
    if (!process_) {
      CROQ_ASSIGN(WorkerProcess started, WorkerProcess::Start(spec));
      process_.emplace(std::move(started));
    }
    const auto hello = AwaitHello(spec, *process_, workers_.hello_wait);
    greeted_ = hello.has_value();
    if (greeted_)
      return {};
    process_.reset();
    problem = hello.error().message;
  }
  return Failure(fmt::format(
      "the {} worker ({}) does not start, {} times in a row: {}. `croq doctor` checks the "
      "interpreter and its packages",
      kind_, workers_.python.string(), kMaxStarts, problem));
}

Result<Answer> WorkerClient::Ask(json request, milliseconds wait) {
  request = protocol::WithId(std::move(request), ++last_id_);
  CROQ_TRY(Ensure());
  Answer answer = AskOnce(request, wait);
  if (answer.kind != Answer::Kind::kLost)
    return answer;
  CROQ_TRY(Ensure());
  return AskOnce(request, wait);
}

Answer WorkerClient::AskOnce(const json& request, milliseconds wait) {
  process_->ClearOutput();
  const SteadyTime now = steady_clock::now();
  (void)process_->Send(request, now + kSendWait);  // One that is dead shows itself below.
  Received received = process_->Receive(now + wait);
  switch (received.kind) {
    case Received::Kind::kNothing:
      return Lost(Answer::Kind::kTimeout,
                  fmt::format("the {} worker gave no answer within {:.1f} s", kind_,
                              static_cast<double>(wait.count()) / 1000.0));
    case Received::Kind::kGone:
      return Lost(Answer::Kind::kLost,
                  fmt::format("the {} worker was {}", kind_, process_->Bury()));
    case Received::Kind::kGarbage:
      return Lost(Answer::Kind::kLost, received.problem);
    case Received::Kind::kMessage:
      break;
  }
  const auto envelope = protocol::DecodeEnvelope(received.message);
  if (!envelope)
    return Lost(Answer::Kind::kLost, envelope.error().message);
  if (envelope->id != last_id_) {
    return Lost(Answer::Kind::kLost, "the worker answered a request it did not get");
  }
  Answer answer;
  answer.output = process_->Output();
  if (envelope->type == protocol::kErrorType) {
    const auto error = protocol::DecodeErrorReply(received.message);
    answer.kind = Answer::Kind::kRefused;
    answer.reason = error ? error->message : error.error().message;
  } else {
    answer.reply = std::move(received.message);
  }
  return answer;
}

Answer WorkerClient::Lost(Answer::Kind kind, std::string reason) {
  process_->Kill();
  Answer answer;
  answer.kind = kind;
  answer.output = process_->Output();
  answer.reason = WithLastWords(reason, answer.output);
  process_.reset();
  return answer;
}

}  // namespace croq::backend
