#include "croq/backend/runner_process.h"

#include <fmt/format.h>

#include <utility>

#include "croq/base/files.h"
#include "croq/protocol/envelope.h"
#include "croq/protocol/message_types.h"

namespace croq::backend {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

WorkerSpec SpecOf(const RunnerOptions& options) {
  WorkerSpec spec;
  spec.kind = "runner";
  spec.argv.push_back(options.runner.string());
  spec.argv.insert(spec.argv.end(), options.arguments.begin(), options.arguments.end());
  spec.environment = options.environment;
  spec.supervision = {options.supervisor, {}};
  return spec;
}

}  // namespace

RunnerProcess::RunnerProcess(const RunnerOptions& options)
    : options_(options), log_prefix_(fmt::format("runner-{}", UnixMillis())) {}

Result<Exchange> RunnerProcess::Start() {
  const WorkerSpec spec = SpecOf(options_);
  CROQ_ASSIGN(WorkerProcess started, WorkerProcess::Start(spec));
  process_.emplace(std::move(started));
  ++starts_;
  Received received = process_->Receive(steady_clock::now() + options_.hello_wait);
  if (received.kind == Received::Kind::kMessage) {
    const Status checked = CheckHello(spec.kind, received.message);
    if (!checked) {
      process_.reset();
      return tl::unexpected(checked.error());
    }
    return Exchange{std::move(received.message), false, {}};
  }
  if (received.kind == Received::Kind::kGone)
    return Lost(false, process_->Bury());
  if (received.kind == Received::Kind::kGarbage)
    return Lost(false, received.problem);
  return Lost(true, "it sent no hello in time");
}

Result<Exchange> RunnerProcess::Ask(json request, milliseconds wait) {
  const std::int64_t id = ++last_id_;
  process_->ClearOutput();
  const SteadyTime deadline = steady_clock::now() + wait;
  // One that is dead shows itself below, with how it died.
  (void)process_->Send(protocol::WithId(std::move(request), id), deadline);
  Received received = process_->Receive(deadline);
  switch (received.kind) {
    case Received::Kind::kNothing:
      return Lost(true, fmt::format("it gave no answer within {:.0f} s",
                                    static_cast<double>(wait.count()) / 1000.0));
    case Received::Kind::kGone:
      return Lost(false, process_->Bury());
    case Received::Kind::kGarbage:
      return Lost(false, received.problem);
    case Received::Kind::kMessage:
      break;
  }
  const auto envelope = protocol::DecodeEnvelope(received.message);
  if (!envelope)
    return Lost(false, envelope.error().message);
  if (envelope->id != id)
    return Lost(false, "it answered a request that it did not get");
  if (envelope->type == protocol::kErrorType) {
    CROQ_ASSIGN(const protocol::ErrorReply error, protocol::DecodeErrorReply(received.message));
    return Failure("croq-runner: " + error.message);
  }
  return Exchange{std::move(received.message), false, {}};
}

void RunnerProcess::Retire() {
  if (process_)
    (void)Lost(false, process_->Bury());
}

Exchange RunnerProcess::Lost(bool timed_out, std::string reason) {
  process_->Kill();
  const std::string output = process_->Output();
  process_.reset();
  if (!options_.log_folder.empty() && !output.empty()) {
    // The log helps a person; that it can't be kept must not end the session.
    (void)MakeDirectories(options_.log_folder).and_then([&] {
      return WriteFileAtomic(options_.log_folder / fmt::format("{}-{}.txt", log_prefix_, starts_),
                             output);
    });
  }
  return Exchange{std::nullopt, timed_out,
                  WithLastWords("the device process was lost: " + reason, output)};
}

}  // namespace croq::backend
