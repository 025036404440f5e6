#include "croq/backend/pool_worker.h"

#include <fmt/format.h>

#include <system_error>

#include "croq/base/files.h"
#include "croq/protocol/envelope.h"
#include "croq/protocol/message_types.h"

namespace croq::backend {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// A worker that does not take a small request from its pipe within this is hung.

double Seconds(milliseconds time) {
  return static_cast<double>(time.count()) / 1000.0;
}

}  // namespace

PoolWorker::PoolWorker(const CompilePoolOptions& options, int index)
    : options_(options), index_(index) {}

PoolWorker::~PoolWorker() {
  process_.reset();
  std::error_code ignored;
  if (generation_ > 0)
    std::filesystem::remove_all(Scratch(), ignored);
}

std::filesystem::path PoolWorker::Scratch() const {
  return options_.work_folder / "workers" / fmt::format("w{}-{}", index_, generation_);
}

Status PoolWorker::Restart() {
  process_.reset();
  state_ = State::kNone;
  std::error_code ignored;
  if (generation_ > 0)
    std::filesystem::remove_all(Scratch(), ignored);
  ++generation_;
  CROQ_TRY(MakeDirectories(Scratch()));
  CROQ_ASSIGN(WorkerProcess started,
              WorkerProcess::Start(MakeWorkerSpec(options_.python, "compile", Scratch())));
  process_.emplace(std::move(started));
  state_ = State::kStarting;
  deadline_ = steady_clock::now() + options_.python.hello_wait;
  return {};
}

void PoolWorker::LetGo() {
  if (process_)
    process_->LetGo();
}

void PoolWorker::Assign(PoolJob job, milliseconds deadline) {
  protocol::CompileRequest request;
  request.job = job.job;
  out_ = Scratch() / fmt::format("out{}", job.id);
  request.out = out_.string();
  job_.emplace(std::move(job));
  state_ = State::kBusy;
  process_->ClearOutput();
  sent_ = steady_clock::now();
  deadline_ = sent_ + deadline;
  std::error_code ignored;  // The worker says so if the folder is not there.
  std::filesystem::create_directories(request.out, ignored);
  // A worker that is dead shows itself in the next step.
  (void)process_->Send(protocol::WithId(protocol::Encode(request), job_->id), sent_ + kSendWait);
}

PoolEvent PoolWorker::Step() {
  if (!process_)
    return {};
  Received received = process_->Poll();
  switch (received.kind) {
    case Received::Kind::kMessage:
      return OnMessage(received.message);
    case Received::Kind::kGone: {
      std::string reason = process_->Bury();
      if (!received.problem.empty())
        reason += ", " + received.problem;
      return Lost(std::move(reason), false);
    }
    case Received::Kind::kGarbage:
      return Lost(received.problem, false);
    case Received::Kind::kNothing:
      break;
  }
  if (state_ == State::kIdle || steady_clock::now() < deadline_)
    return {};
  if (state_ == State::kStarting) {
    return Lost(fmt::format("no hello within {:.1f} s", Seconds(options_.python.hello_wait)), true);
  }
  const auto allowed = std::chrono::duration_cast<milliseconds>(deadline_ - sent_);
  return Lost(fmt::format("still compiling after {:.1f} s", Seconds(allowed)), true);
}

PoolEvent PoolWorker::OnMessage(const nlohmann::json& message) {
  if (state_ == State::kStarting) {
    const Status checked = CheckHello("compile", message);
    if (!checked)
      return Lost(checked.error().message, false);
    state_ = State::kIdle;
    PoolEvent event;
    event.kind = PoolEvent::Kind::kReady;
    return event;
  }
  const auto envelope = protocol::DecodeEnvelope(message);
  if (!envelope)
    return Lost(envelope.error().message, false);
  if (!job_ || envelope->id != job_->id)
    return Lost("it answered a request it did not get", false);

  PoolEvent event;
  if (envelope->type == protocol::kErrorType) {
    const auto error = protocol::DecodeErrorReply(message);
    event.kind = PoolEvent::Kind::kRefused;
    event.reason = error ? error->message : error.error().message;
  } else {
    auto reply = protocol::DecodeCompileReply(message);
    if (!reply)
      return Lost("its reply can't be read: " + reply.error().message, false);
    event.kind = PoolEvent::Kind::kReply;
    event.reply = std::move(*reply);
  }
  event.out = out_;
  event.took = std::chrono::duration_cast<milliseconds>(steady_clock::now() - sent_);
  event.output = process_->Output();
  event.job.swap(job_);
  state_ = State::kIdle;
  return event;
}

PoolEvent PoolWorker::Lost(std::string reason, bool timed_out) {
  process_->Kill();
  PoolEvent event;
  event.kind = PoolEvent::Kind::kLost;
  event.reason = std::move(reason);
  event.timed_out = timed_out;
  event.output = process_->Output();
  event.job.swap(job_);
  process_.reset();
  state_ = State::kNone;
  return event;
}

}  // namespace croq::backend
