#include "croq/backend/script_workers.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "croq/backend/worker_client.h"
#include "croq/protocol/message_types.h"

namespace croq::backend {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr milliseconds kParseWait{60'000};
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

json EncodeJob(const InterpretJob& job) {
  json overrides = json::object();
  for (const auto& [name, value] : job.overrides) {
    std::visit([&, &key = name](const auto& held) { overrides[key] = held; }, value);
  }
  return {{"type", protocol::kInterpretType},
          {"source", job.source.string()},
          {"entry", job.entry},
          {"operator", std::string(NameOf(job.shape.op))},
          {"dtype", std::string(FactsOf(job.shape.dtype).name)},
          {"m", job.shape.m},
          {"n", job.shape.n},
          {"k", job.shape.k},
          {"overrides", std::move(overrides)},
          {"seed", std::to_string(job.seed)},
          {"max_abs_tolerance", job.max_abs_tolerance},
          {"timeout_s", job.timeout_s}};
}

/// Numbers that are not finite travel as words.
double ReadReal(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  return std::numeric_limits<double>::quiet_NaN();
}

Result<InterpretResult> DecodeResult(const json& reply) {
  const auto ok = reply.find("ok");
  if (ok == reply.end() || !ok->is_boolean()) return Failure("field 'ok' is missing");
  InterpretResult result;
  result.ok = ok->get<bool>();
  if (result.ok) {
    for (const char* name : {"max_abs_err", "worst_ratio", "nan_count"}) {
      if (!reply.contains(name)) return Failure(fmt::format("field '{}' is missing", name));
    }
    const auto passed = reply.find("passed");
    if (passed == reply.end() || !passed->is_boolean()) return Failure("field 'passed' is missing");
    result.passed = passed->get<bool>();
    result.max_abs_err = ReadReal(reply["max_abs_err"]);
    result.worst_ratio = ReadReal(reply["worst_ratio"]);
    if (!reply["nan_count"].is_number_integer()) return Failure("field 'nan_count' is no number");
    result.nan_count = reply["nan_count"].get<std::int64_t>();
    const auto checked_as = reply.find("checked_as");
    if (checked_as != reply.end() && checked_as->is_string()) result.checked_as = *checked_as;
    return result;
  }
  const auto outcome = reply.find("outcome");
  const auto message = reply.find("message");
  if (outcome == reply.end() || !outcome->is_string()) return Failure("field 'outcome' is missing");
  const auto parsed = ParseOutcome(outcome->get<std::string>());
  if (!parsed) return Failure(fmt::format("field 'outcome': unknown '{}'", outcome->dump()));
  result.outcome = *parsed;
  if (message != reply.end() && message->is_string()) result.message = *message;
  return result;
}

}  // namespace

ParseClient::ParseClient(const PythonWorkers& workers, const std::filesystem::path& scratch)
    : worker_(std::make_unique<WorkerClient>(workers, "compile", scratch)) {}
ParseClient::~ParseClient() = default;

Result<protocol::ParseReply> ParseClient::Parse(const std::filesystem::path& source) {
  CROQ_ASSIGN(const Answer answer,
              worker_->Ask(protocol::Encode(protocol::ParseRequest{source.string()}), kParseWait));
  if (answer.kind == Answer::Kind::kRefused) return Refused("parse " + source.string(), answer);
  if (answer.kind == Answer::Kind::kReply) return protocol::DecodeParseReply(answer.reply);
  protocol::ParseReply reply;
  reply.message = answer.reason;
  return reply;
}

CaptureClient::CaptureClient(const PythonWorkers& workers, const std::filesystem::path& scratch)
    : worker_(std::make_unique<WorkerClient>(workers, "capture", scratch)) {}
CaptureClient::~CaptureClient() = default;

Result<protocol::CaptureReply> CaptureClient::Capture(const protocol::CaptureRequest& request) {
  CROQ_ASSIGN(const Answer answer,
              worker_->Ask(protocol::Encode(request), HostWait(request.timeout_s)));
  if (answer.kind == Answer::Kind::kRefused) return Refused("capture " + request.source, answer);
  if (answer.kind == Answer::Kind::kReply) return protocol::DecodeCaptureReply(answer.reply);
  return FailedReply<protocol::CaptureReply>(answer);
}

InterpreterClient::InterpreterClient(const PythonWorkers& workers,
                                     const std::filesystem::path& scratch)
    : worker_(std::make_unique<WorkerClient>(workers, "interpret", scratch)) {}
InterpreterClient::~InterpreterClient() = default;

Result<InterpretResult> InterpreterClient::Interpret(const InterpretJob& job) {
  CROQ_ASSIGN(const Answer answer, worker_->Ask(EncodeJob(job), HostWait(job.timeout_s)));
  if (answer.kind == Answer::Kind::kRefused) {
    return Refused("interpret " + job.source.string(), answer);
  }
  if (answer.kind == Answer::Kind::kReply) return DecodeResult(answer.reply);
  return FailedReply<InterpretResult>(answer);
}

}  // namespace croq::backend
