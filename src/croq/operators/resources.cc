#include "croq/operators/resources.h"

#include <algorithm>

namespace croq::operators {
namespace {

constexpr std::int64_t kMaxRegistersPerThread = 255;
constexpr std::int64_t kMinAsyncBytes = 4;  ///< cp.async moves 4, 8 or 16
constexpr std::int64_t kHint = 16;          ///< Triton's divisibility hint, elements

/// wgmma takes 64 rows of A a warp group; below that, and for IEEE f32, operands go through
/// registers.
bool UsesWgmma(const MatmulProblem& problem, const MatmulConfig& config) {
  return problem.tensor_cores() && config.block_m >= 64;
}

/// Whether the loads of one operand become cp.async or TMA. `inner` is the operand's contiguous
/// dimension: without the divisibility hint Triton loads one element at a time.
bool IsPipelined(const MatmulProblem& problem, const MatmulConfig& config, std::int64_t inner,
                 std::int64_t block_elements) {
  if (config.variant->Descriptors()) return true;
  const std::int64_t per_thread = std::max<std::int64_t>(1, block_elements / config.Threads());
  const std::int64_t contiguous = inner % kHint == 0 ? per_thread : 1;
  return contiguous * problem.bytes() >= kMinAsyncBytes;
}

std::int64_t PipelineBytes(const MatmulProblem& problem, const MatmulConfig& config) {
  const std::int64_t a_elements = config.block_m * config.block_k;
  const std::int64_t b_elements = config.block_n * config.block_k;
  const std::int64_t a_bytes = a_elements * problem.bytes();
  const std::int64_t b_bytes = b_elements * problem.bytes();
  const bool wgmma = UsesWgmma(problem, config);
  if (config.num_stages == 1) return wgmma ? a_bytes + b_bytes : std::max(a_bytes, b_bytes);
  const std::int64_t buffers = wgmma ? config.num_stages : config.num_stages - 1;
  const std::int64_t unpipelined = wgmma ? 1 : 0;
  const std::int64_t b_inner = problem.b_is_nk() ? problem.shape.k : problem.shape.n;
  const bool a_pipelined = IsPipelined(problem, config, problem.shape.k, a_elements);
  const bool b_pipelined = IsPipelined(problem, config, b_inner, b_elements);
  return a_bytes * (a_pipelined ? buffers : unpipelined) +
         b_bytes * (b_pipelined ? buffers : unpipelined);
}

std::int64_t SharedBytes(const MatmulProblem& problem, const MatmulConfig& config) {
  const std::int64_t pipeline = PipelineBytes(problem, config);
  const std::int64_t staging =
      config.block_m * config.block_n * problem.bytes() / config.epilogue_split;
  std::int64_t bytes = pipeline;
  if (config.variant->Descriptors()) {
    const bool beside = config.variant->persistent && config.num_stages > 1;
    bytes = beside ? pipeline + staging : std::max(pipeline, staging);
  }
  // A cluster's blocks share the tile; at least one of A, B and C is split between them.
  return bytes / config.num_ctas;
}

}  // namespace

MatmulResources EstimateResources(const MatmulProblem& problem, const MatmulConfig& config) {
  MatmulResources resources;
  resources.shared_bytes = SharedBytes(problem, config);
  resources.accumulators_per_thread =
      config.block_m * config.block_n / (config.Threads() * config.num_ctas);
  resources.registers_per_thread =
      std::min(kMaxRegistersPerThread, problem.device.registers_per_sm / config.Threads());
  return resources;
}

}  // namespace croq::operators
