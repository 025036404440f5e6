#include "croq_runner/bench.h"

#include <utility>

#include "croq/base/clock.h"
#include "croq_runner/device_facts.h"

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
  const SteadyTime start = std::chrono::steady_clock::now();
  // The old operands' memory must be free before the new ones are planned.
  baseline_.reset();
  operands_.reset();
  places_ = {};
  next_set_ = 0;
  CROQ_ASSIGN(operands_, Operands::Create(driver_, request, device_));
  places_.a_bytes = operands_->a_bytes();
  places_.b_bytes = operands_->b_bytes();
  places_.c_bytes = operands_->c_bytes();
  for (int set = 0; set < operands_->sets(); ++set) {
    places_.sets.push_back({operands_->a(set), operands_->b(set), operands_->c(set)});
  }
  PrepareReply reply;
  reply.input_sets = operands_->sets();
  reply.input_ms = 1e3 * SecondsSince(start);
  baseline_problem_.clear();
  auto baseline = Baseline::Create(request, *operands_, driver_, stream());
  if (baseline) {
    baseline_ = std::move(*baseline);
    auto kernel = baseline_->KernelName();
    if (kernel)
      reply.baseline_kernel = std::move(*kernel);
  } else {
    baseline_problem_ = baseline.error().message;
  }
  reply.baseline_problem = baseline_problem_;
  reply.device_bytes = operands_->device_bytes();
  return reply;
}

int Bench::NextSet() {
  const int set = next_set_;
  next_set_ = (next_set_ + 1) % operands_->sets();
  return set;
}

}  // namespace croq::runner
