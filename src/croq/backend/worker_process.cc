#include "croq/backend/worker_process.h"

#include <fmt/format.h>
#include <poll.h>

#include "croq/process/pipe.h"
#include "croq/process/run.h"
#include "croq/protocol/envelope.h"
#include "croq/protocol/hello.h"
#include "croq/protocol/message_types.h"

namespace croq::backend {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// From the end of the replies to the process's own end: a crash that unwinds, a core that is not
/// written. More than that and it is not dying but went on without its replies.
constexpr milliseconds kDyingTime{5000};

std::string EncodeFrame(const json& message) {
  const std::string payload = message.dump(-1, ' ', false, json::error_handler_t::replace);
  std::string frame;
  for (int shift = 0; shift < 32; shift += 8) {
    frame.push_back(static_cast<char>((payload.size() >> shift) & 0xff));
  }
  return frame + payload;
}

}  // namespace

Result<WorkerProcess> WorkerProcess::Start(const WorkerSpec& spec) {
  process::SpawnOptions options;
  options.argv = spec.argv;
  options.environment = spec.environment;
  options.directory = spec.directory;
  options.request_pipes = true;
  options.output = process::SpawnOptions::Output::kPipe;
  options.supervision = spec.supervision;
  CROQ_ASSIGN(process::Subprocess process, process::Subprocess::Spawn(options));
  return WorkerProcess(std::move(process));
}

Status WorkerProcess::Send(const json& message, SteadyTime deadline) {
  const std::string frame = EncodeFrame(message);
  if (frame.size() > protocol::kMaxFrameBytes)
    return Failure("the request is too large to send");
  return process::WriteAllBefore(process_.request_fd(), frame, deadline);
}

Received WorkerProcess::Poll() {
  DrainOutput();
  auto payload = frames_.Next();
  if (payload && !*payload && replies_open_) {
    const Result<bool> open = frames_.FillFrom(process_.reply_fd().get());
    if (!open || !*open)
      replies_open_ = false;
    payload = frames_.Next();
  }
  if (!payload)
    return {Received::Kind::kGarbage, {}, payload.error().message};
  if (!*payload) {
    if (replies_open_)
      return {};
    if (frames_.HasPartialFrame()) {
      return {Received::Kind::kGone, {}, "it ended inside a reply"};
    }
    return {Received::Kind::kGone, {}, {}};
  }
  auto message = protocol::ParseMessage(**payload);
  if (!message)
    return {Received::Kind::kGarbage, {}, message.error().message};
  return {Received::Kind::kMessage, std::move(*message), {}};
}

Received WorkerProcess::Receive(SteadyTime deadline) {
  while (true) {
    Received received = Poll();
    if (received.kind != Received::Kind::kNothing)
      return received;
    const int left = process::PollMillis(deadline);
    if (left == 0)
      return received;
    pollfd items[2] = {{reply_fd(), POLLIN, 0}, {output_fd(), POLLIN, 0}};
    ::poll(items, 2, left);
  }
}

void WorkerProcess::DrainOutput() {
  if (output_open_)
    output_open_ = process::DrainInto(process_.output_fd(), output_);
}

std::string WorkerProcess::Output() {
  DrainOutput();
  return output_.Text();
}

void WorkerProcess::ClearOutput() {
  DrainOutput();
  output_.Clear();
}

std::string WorkerProcess::Bury() {
  const SteadyTime deadline = steady_clock::now() + kDyingTime;
  // Its last words may be more than a pipe holds: go on reading while it dies.
  while (process_.Running() && process::PollMillis(deadline) > 0) {
    DrainOutput();
    process_.Wait(milliseconds(10));
  }
  const auto ended = process_.Wait(milliseconds(0));
  if (!ended)
    Kill();
  DrainOutput();
  return ended ? ended->Text() : "closed its replies without ending";
}

void WorkerProcess::Kill() {
  process_.Kill();
  DrainOutput();
}

std::string WithLastWords(const std::string& reason, const std::string& output) {
  const std::string last = process::LastLine(output);
  return last.empty() ? reason : fmt::format("{}; its last words: {}", reason, last);
}

Status CheckHello(const std::string& kind, const json& message) {
  if (kind == "runner") {
    CROQ_ASSIGN(const protocol::RunnerHello hello, protocol::DecodeRunnerHello(message));
    return protocol::CheckVersions("croq-runner", hello.protocol, hello.croq);
  }
  CROQ_ASSIGN(const protocol::WorkerHello hello, protocol::DecodeWorkerHello(message));
  CROQ_TRY(protocol::CheckVersions("croq_worker", hello.protocol, hello.croq));
  if (hello.worker != kind) {
    return Failure(fmt::format("a worker of kind '{}' answered where one of kind '{}' was started",
                               hello.worker, kind));
  }
  return {};
}

Result<json> AwaitHello(const WorkerSpec& spec, WorkerProcess& worker, milliseconds wait) {
  Received received = worker.Receive(steady_clock::now() + wait);
  switch (received.kind) {
    case Received::Kind::kMessage: {
      const Status checked = CheckHello(spec.kind, received.message);
      if (!checked)
        return tl::unexpected(checked.error());
      return std::move(received.message);
    }
    case Received::Kind::kGone: {
      const std::string end = worker.Bury();
      return Failure(WithLastWords(end, worker.Output()));
    }
    case Received::Kind::kGarbage:
      return Failure(WithLastWords(received.problem, worker.Output()));
    case Received::Kind::kNothing:
      break;
  }
  return Failure(
      WithLastWords(fmt::format("no hello within {} s", static_cast<double>(wait.count()) / 1000.0),
                    worker.Output()));
}

}  // namespace croq::backend
