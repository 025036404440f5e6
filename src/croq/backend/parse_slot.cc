#include "croq/backend/parse_slot.h"

#include <fmt/format.h>

#include "croq/base/files.h"
#include "croq/protocol/envelope.h"
#include "croq/protocol/message_types.h"

namespace croq::backend {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kMaxStarts = 3;
/// A request of this many bytes fits into the pipe of a busy worker (64 KiB, 4/3 for base64).
constexpr std::size_t kAheadBytes = 40'000;
constexpr std::size_t kMostSent = 2;

ParsedFile Refusal(const ParseJob& job, std::string message) {
  ParsedFile file;
  file.state = ParsedFile::State::kRefused;
  file.path = job.path;
  file.message = std::move(message);
  return file;
}

Result<ParsedFile> FromReply(const ParseJob& job, const protocol::ParseReply& reply) {
  if (!reply.ok) {
    ParsedFile file = Refusal(job, reply.message);
    file.line = reply.line;
    file.column = reply.column;
    return file;
  }
  CROQ_ASSIGN(source::SyntaxTree tree, source::SyntaxTree::Load(*reply.tree, job.bytes, job.path));
  ParsedFile file;
  file.path = job.path;
  file.tree = std::move(tree);
  return file;
}

}  // namespace

bool ParseSlot::HasRoomFor(const ParseJob& job) const {
  return sent_.empty() || (sent_.size() < kMostSent && job.bytes.size() < kAheadBytes);
}

Status ParseSlot::EnsureStarted() {
  if (process_)
    return {};
  CROQ_TRY(MakeDirectories(options_.scratch));
  std::error_code ignored;
  const auto scratch = std::filesystem::absolute(options_.scratch, ignored);
  const WorkerSpec spec = MakeWorkerSpec(options_.python, "parse", scratch);
  std::string problem;
  for (int attempt = 0; attempt < kMaxStarts; ++attempt) {
    CROQ_ASSIGN(WorkerProcess started, WorkerProcess::Start(spec));
    const auto hello = AwaitHello(spec, started, options_.python.hello_wait);
    if (hello) {
      process_.emplace(std::move(started));
      return {};
    }
    problem = hello.error().message;
  }
  return Failure(fmt::format(
      "the parse worker ({}) does not start, {} times in a row: {}. `croq doctor` checks the "
      "interpreter",
      options_.python.python.string(), kMaxStarts, problem));
}

Status ParseSlot::Send(ParseJob job) {
  CROQ_TRY(EnsureStarted());
  const auto request = protocol::WithId(
      protocol::Encode(protocol::ParseRequest{job.path, job.bytes}),
      next_id_ + static_cast<std::int64_t>(sent_.size()));
  const SteadyTime now = steady_clock::now();
  if (sent_.empty())
    deadline_ = now + options_.deadline;
  sent_.push_back(std::move(job));
  (void)process_->Send(request, now + kSendWait);  // One that is dead shows itself in Step.
  return {};
}

Result<ParseSlot::Event> ParseSlot::Step() {
  if (sent_.empty())
    return Event{};
  Received received = process_->Poll();
  switch (received.kind) {
    case Received::Kind::kMessage:
      return OnMessage(std::move(received.message));
    case Received::Kind::kGone:
      return Lost(fmt::format("the parse worker was {}", process_->Bury()));
    case Received::Kind::kGarbage:
      return Lost(received.problem);
    case Received::Kind::kNothing:
      break;
  }
  if (steady_clock::now() < deadline_)
    return Event{};
  ParseJob job = std::move(sent_.front());
  sent_.pop_front();
  process_->Kill();
  process_.reset();
  Event event{Event::Kind::kDone, {}, {}, {}};
  event.file = Refusal(job, fmt::format("not parsed within {:g} s",
                                        static_cast<double>(options_.deadline.count()) / 1000.0));
  event.job = std::move(job);
  return event;
}

Result<ParseSlot::Event> ParseSlot::OnMessage(nlohmann::json message) {
  const auto envelope = protocol::DecodeEnvelope(message);
  if (!envelope)
    return Lost(envelope.error().message);
  if (envelope->id != next_id_)
    return Lost("the worker answered a request it did not get");
  if (envelope->type == protocol::kErrorType) {
    const auto error = protocol::DecodeErrorReply(message);
    return Failure(fmt::format("the worker could not parse {}: {}", sent_.front().path,
                               error ? error->message : error.error().message));
  }
  CROQ_ASSIGN(const protocol::ParseReply reply, protocol::DecodeParseReply(message));
  Event event{Event::Kind::kDone, std::move(sent_.front()), {}, {}};
  sent_.pop_front();
  ++next_id_;
  deadline_ = steady_clock::now() + options_.deadline;
  CROQ_ASSIGN(event.file, FromReply(*event.job, reply));
  return event;
}

ParseSlot::Event ParseSlot::Lost(const std::string& reason) {
  process_->Kill();
  Event event{Event::Kind::kLost, std::move(sent_.front()), {}, {}};
  event.reason = WithLastWords(reason, process_->Output());
  sent_.pop_front();
  process_.reset();
  return event;
}

}  // namespace croq::backend
