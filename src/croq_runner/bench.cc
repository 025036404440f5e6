#include "croq_runner/bench.h"

#include <utility>

#include "croq/base/clock.h"
#include "croq_runner/copy_speed.h"
#include "croq_runner/device_facts.h"
#include "croq_runner/operands.h"

namespace croq::runner {

Result<std::unique_ptr<Bench>> Bench::Open(const Driver& driver, int ordinal, Watchdog* watchdog) {
  CROQ_ASSIGN(Context context, Context::Create(driver, ordinal));
  CROQ_ASSIGN(Stream stream, Stream::Create(driver));
  std::unique_ptr<Bench> bench(new Bench(driver, std::move(context), std::move(stream)));
  CROQ_ASSIGN(bench->device_, ReadDeviceFacts(driver, ordinal));
  CROQ_ASSIGN(bench->stopwatch_, Stopwatch::Create(driver, bench->stream(), watchdog));
  if (auto nvml = Nvml::Open(driver, ordinal)) {
    bench->nvml_ = std::move(*nvml);
    bench->stopwatch_->OnBusy([raw = bench.get()] { raw->clock_ = raw->nvml_->Read(); });
  }
  return bench;
}

Result<PrepareReply> Bench::Prepare(const PrepareRequest& request) {
  // The old operands' memory must be free before the new ones are planned.
  baseline_.reset();
  operands_.reset();
  problem_ = nullptr;
  places_ = {};
  next_set_ = 0;
  CROQ_ASSIGN(PrepareReply reply,
              request.problem ? PrepareProblem(request) : PrepareMatmul(request));
  places_ = operands_->Places();
  reply.input_sets = operands_->sets();
  reply.baseline_problem = baseline_problem_;
  reply.device_bytes = operands_->device_bytes();
  return reply;
}

Result<PrepareReply> Bench::PrepareMatmul(const PrepareRequest& request) {
  PrepareReply reply;
  // Its buffers are gone again before the operands are planned.
  CROQ_ASSIGN(reply.copy_gbps, MeasureCopyGbps(driver_, *stopwatch_, device_.l2_bytes));
  const SteadyTime start = std::chrono::steady_clock::now();
  CROQ_ASSIGN(std::unique_ptr<Operands> operands, Operands::Create(driver_, request, device_));
  reply.input_ms = 1e3 * SecondsSince(start);
  baseline_problem_.clear();
  auto baseline = Baseline::Create(request, *operands, driver_, stream());
  if (baseline) {
    baseline_ = std::move(*baseline);
    auto kernel = baseline_->KernelName();
    if (kernel)
      reply.baseline_kernel = std::move(*kernel);
  } else {
    baseline_problem_ = baseline.error().message;
  }
  operands_ = std::move(operands);
  return reply;
}

Result<PrepareReply> Bench::PrepareProblem(const PrepareRequest& request) {
  PrepareReply reply;
  // Its buffers are gone again before the operands are planned.
  CROQ_ASSIGN(reply.copy_gbps, MeasureCopyGbps(driver_, *stopwatch_, device_.l2_bytes));
  const SteadyTime start = std::chrono::steady_clock::now();
  CROQ_ASSIGN(std::unique_ptr<ProblemOperands> operands,
              ProblemOperands::Create(driver_, request, device_));
  reply.input_ms = 1e3 * SecondsSince(start);
  problem_ = operands.get();
  operands_ = std::move(operands);
  warm_preparation_.restore = [this](int set) {
    return Blamed(driver_, stream(), problem_->Restore(set, stream()));
  };
  cold_preparation_.restore = warm_preparation_.restore;
  cold_preparation_.settle = [this] {
    return Blamed(driver_, stream(), problem_->FlushCache(stream()));
  };
  baseline_problem_ = "cuBLAS has no call for a problem that is brought";
  return reply;
}

int Bench::NextSet() {
  const int set = next_set_;
  next_set_ = (next_set_ + 1) % operands_->sets();
  return set;
}

}  // namespace croq::runner
