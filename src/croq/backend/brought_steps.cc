#include "croq/backend/brought_steps.h"

#include <memory>
#include <utility>

#include "croq/backend/made_lists.h"
#include "croq/protocol/evaluate_messages.h"

namespace croq::backend {

Result<tune::ReadTree> WorkerTreeReader::Read(const std::string& path, std::string bytes) {
  CROQ_ASSIGN(ParsedFile file, reader_.ReadBytes(path, std::move(bytes)));
  tune::ReadTree read;
  read.tree = std::move(file.tree);
  read.message = std::move(file.message);
  read.line = file.line;
  read.column = file.column;
  return read;
}

namespace {

Result<tune::Captured> Ask(CaptureClient& client, const protocol::CaptureRequest& request) {
  CROQ_ASSIGN(protocol::CaptureReply reply, client.Capture(request));
  tune::Captured captured;
  if (!reply.ok) {
    captured.outcome = reply.outcome;
    captured.reason = std::move(reply.message);
    return captured;
  }
  for (protocol::CapturedKernel& kernel : reply.plan.kernels) {
    captured.jobs.push_back({request.source, std::move(kernel.kernel), std::move(kernel.parameters),
                             std::move(kernel.options), request.device.compute_capability});
  }
  captured.plan.buffers = std::move(reply.plan.buffers);
  captured.plan.steps = std::move(reply.plan.steps);
  return captured;
}

}  // namespace

std::shared_future<Result<tune::Captured>> WorkerHostCapture::Start(
    const std::filesystem::path& source, const ShapeKey& shape, const Problem* problem) {
  protocol::CaptureRequest request;
  request.source = source.string();
  request.entry = problem != nullptr ? problem->entry : "kernel_fn";
  request.shape = shape;
  request.device = device_;
  if (problem != nullptr) request.problem = *problem;
  const auto done = std::make_shared<std::promise<Result<tune::Captured>>>();
  pool_.Submit([done, request = std::move(request)](CaptureClient& client) {
    done->set_value(Ask(client, request));
  });
  return done->get_future().share();
}

Result<tune::Captured> WorkerHostCapture::Capture(const std::filesystem::path& source,
                                                  const ShapeKey& shape, const Problem* problem) {
  return Start(source, shape, problem).get();
}

Result<std::vector<source::MadeList>> WorkerHostCapture::MadeLists(
    const std::filesystem::path& source) {
  std::error_code ignored;
  protocol::EvaluateRequest request;
  request.source = std::filesystem::absolute(source, ignored).lexically_normal().string();
  request.device = device_;
  std::promise<Result<protocol::EvaluateReply>> done;
  pool_.Submit([&](CaptureClient& client) { done.set_value(client.Evaluate(request)); });
  CROQ_ASSIGN(const protocol::EvaluateReply reply, done.get_future().get());
  return ToMadeLists(source.string(), reply);
}

Result<tune::ReferenceRun> WorkerReferenceRunner::Run(const std::filesystem::path& source,
                                                      const Problem& problem,
                                                      const std::filesystem::path& inputs,
                                                      const std::filesystem::path& outputs,
                                                      bool time) {
  protocol::ReferenceRequest request;
  request.source = source.string();
  request.problem = problem;
  request.inputs = inputs.string();
  request.outputs = outputs.string();
  request.device = device_;
  request.time = time;
  CROQ_ASSIGN(protocol::ReferenceReply reply, client_.Compute(request));
  tune::ReferenceRun run;
  if (!reply.ok) {
    run.outcome = reply.outcome;
    run.reason = std::move(reply.message);
    return run;
  }
  run.contract_ms = reply.contract_ms;
  run.cold_ms = reply.cold_ms;
  run.time_problem = std::move(reply.time_problem);
  return run;
}

}  // namespace croq::backend
