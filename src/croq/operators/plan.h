#pragma once

#include <filesystem>
#include <vector>

#include "croq/model/compile_job.h"
#include "croq/model/launch_plan.h"
#include "croq/operators/matmul_config.h"

namespace croq::operators {

/// One job for each kernel that kernel_fn launches, in the order of the launches.
std::vector<CompileJob> MatmulJobs(const MatmulProblem& problem, const MatmulConfig& config,
                                   const std::filesystem::path& source);

/// `kernels` as MatmulJobs lists them. Buffers 0, 1, 2 are a, b, c.
LaunchPlan MatmulPlan(const MatmulProblem& problem, const MatmulConfig& config,
                      std::vector<CompiledKernel> kernels);

}  // namespace croq::operators
