#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "croq/model/launch_plan.h"
#include "croq/operators/matmul_config.h"
#include "croq/operators/specialise.h"

namespace croq::operators {

/// Elements of C that one program of a reduction adds up.
inline constexpr std::int64_t kReduceBlock = 1024;
/// Rows of a shared tile that one program of a stream-K's second kernel adds up.
inline constexpr std::int64_t kFixupRows = 16;

/// One launch by kernel_fn: the kernel, how it is compiled, and what it gets.
struct KernelCall {
  std::string kernel;
  std::map<std::string, std::int64_t> options;  ///< num_warps, ...
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::vector<BoundParameter> parameters;       ///< in parameter order
};

/// What kernel_fn launches, in order: matmul_kernel, and behind it the kernel that adds up the
/// parts of a split K or a stream-K. Written directly instead of recorded from the script; a test holds the two
/// equal.
std::vector<KernelCall> MatmulCalls(const MatmulProblem& problem, const MatmulConfig& config);

/// a, b, c, the scales of FP8, and the workspace of the parts (`scratch0`), which the parameters'
/// buffers index.
std::vector<PlanBuffer> MatmulBuffers(const MatmulProblem& problem, const MatmulConfig& config);

}  // namespace croq::operators
