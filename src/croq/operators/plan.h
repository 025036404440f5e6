#pragma once

#include <filesystem>
#include <vector>

#include "croq/model/compile_job.h"
#include "croq/model/launch_plan.h"
#include "croq/operators/matmul_config.h"
#include "croq/operators/specialise.h"

namespace croq::operators {

/// The parameters of matmul_kernel as a launch by kernel_fn binds them, in order. Buffers 0, 1, 2
/// are a, b, c.
std::vector<BoundParameter> BindMatmul(const MatmulProblem& problem, const MatmulConfig& config);

CompileJob MatmulJob(const MatmulProblem& problem, const MatmulConfig& config,
                     const std::filesystem::path& source);

/// Written directly instead of recorded from the script; a test holds the two equal.
LaunchPlan MatmulPlan(const MatmulProblem& problem, const MatmulConfig& config,
                      CompiledKernel kernel);

}  // namespace croq::operators
