#include "croq/operators/plan.h"

#include <utility>

#include "croq/base/check.h"
#include "croq/operators/matmul_calls.h"

namespace croq::operators {

std::vector<CompileJob> MatmulJobs(const MatmulProblem& problem, const MatmulConfig& config,
                                   const std::filesystem::path& source) {
  std::vector<CompileJob> jobs;
  for (KernelCall& call : MatmulCalls(problem, config)) {
    CompileJob job;
    job.source_path = source.string();
    job.kernel = std::move(call.kernel);
    for (BoundParameter& bound : call.parameters) {
      job.parameters.push_back(std::move(bound.parameter));
    }
    job.options = std::move(call.options);
    job.warp_specialize = config.warp_specialize && jobs.empty();
    job.compute_capability = problem.device.compute_capability;
    jobs.push_back(std::move(job));
  }
  return jobs;
}

LaunchPlan MatmulPlan(const MatmulProblem& problem, const MatmulConfig& config,
                      std::vector<CompiledKernel> kernels) {
  LaunchPlan plan;
  plan.buffers = MatmulBuffers(problem, config);
  std::vector<KernelCall> calls = MatmulCalls(problem, config);
  CROQ_CHECK(kernels.size() == calls.size());
  plan.kernels = std::move(kernels);
  for (KernelCall& call : calls) {
    LaunchStep step;
    step.kernel = static_cast<int>(plan.steps.size());
    step.grid = call.grid;
    for (BoundParameter& bound : call.parameters) {
      if (bound.argument) step.arguments.push_back(std::move(*bound.argument));
    }
    plan.steps.emplace_back(std::move(step));
  }
  return plan;
}

}  // namespace croq::operators
