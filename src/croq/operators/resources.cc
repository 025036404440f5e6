#include "croq/operators/resources.h"

#include <algorithm>

namespace croq::operators {
namespace {

constexpr std::int64_t kMaxRegistersPerThread = 255;
constexpr std::int64_t kMinAsyncBytes = 4;  ///< cp.async moves 4, 8 or 16

/// wgmma takes 64 rows of A a warp group; below that, and for IEEE f32, operands go through
/// registers.
bool UsesWgmma(const MatmulProblem& problem, const MatmulConfig& config) {
  const std::int64_t rows = config.variant->skinny ? config.block_n : config.block_m;
  return problem.tensor_cores() && rows >= 64;
}

/// `inner` is the operand's contiguous dimension: without the divisibility hint Triton loads one
/// element at a time, and those of half precision are too small for cp.async.
bool IsPipelined(const MatmulProblem& problem, const MatmulConfig& config, std::int64_t inner,
                 std::int64_t block_elements) {
  if (config.num_stages == 1) return false;
  if (config.variant->Descriptors()) return true;
  const std::int64_t threads = config.Threads() * config.num_ctas;
  const std::int64_t per_thread = std::max<std::int64_t>(1, block_elements / threads);
  const std::int64_t contiguous = inner % kHint == 0 ? per_thread : 1;
  return contiguous * problem.bytes() >= kMinAsyncBytes;
}

/// Bytes of one block of each operand that a thread block holds.
struct OperandBytes {
  std::int64_t a = 0;
  std::int64_t b = 0;
};

std::int64_t PipelineBytes(const MatmulProblem& problem, const MatmulConfig& config,
                           const OperandBytes& bytes) {
  const bool wgmma = UsesWgmma(problem, config);
  if (config.num_stages == 1) return wgmma ? bytes.a + bytes.b : std::max(bytes.a, bytes.b);
  const std::int64_t buffers = wgmma ? config.num_stages : config.num_stages - 1;
  const std::int64_t unpipelined = wgmma ? 1 : 0;
  return bytes.a * (PipelinesA(problem, config) ? buffers : unpipelined) +
         bytes.b * (PipelinesB(problem, config) ? buffers : unpipelined);
}

std::int64_t SharedBytes(const MatmulProblem& problem, const MatmulConfig& config) {
  const std::int64_t a = config.block_m * config.block_k * problem.bytes();
  const std::int64_t b = config.block_n * config.block_k * problem.bytes();
  // A cluster's blocks share the tile of C: one operand is split between them, the other is whole.
  // A transposed B behind a descriptor can be split even so.
  const std::int64_t ctas = config.num_ctas;
  const bool transposed = config.variant->Descriptors() && problem.b_is_nk();
  const std::int64_t whole_b = transposed ? b / ctas : b;
  const std::int64_t pipeline = std::min(PipelineBytes(problem, config, {a / ctas, whole_b}),
                                         PipelineBytes(problem, config, {a, b / ctas}));
  if (config.variant->StoresByPointer()) return pipeline;
  const std::int64_t staging =
      config.block_m * config.block_n * problem.result_bytes() / (config.epilogue_split * ctas);
  const bool beside = config.variant->persistent && config.num_stages > 1;
  return beside ? pipeline + staging : std::max(pipeline, staging);
}

}  // namespace

bool PipelinesA(const MatmulProblem& problem, const MatmulConfig& config) {
  return IsPipelined(problem, config, problem.shape.k, config.block_m * config.block_k);
}

bool PipelinesB(const MatmulProblem& problem, const MatmulConfig& config) {
  const std::int64_t inner = problem.b_is_nk() ? problem.shape.k : problem.shape.n;
  return IsPipelined(problem, config, inner, config.block_n * config.block_k);
}

MatmulResources EstimateResources(const MatmulProblem& problem, const MatmulConfig& config) {
  MatmulResources resources;
  resources.shared_bytes = SharedBytes(problem, config);
  resources.accumulators_per_thread =
      config.block_m * config.block_n / (config.MultiplyingThreads() * config.num_ctas);
  // A specialised producer hands most of its registers to the warps that multiply.
  const std::int64_t sharing =
      config.warp_specialize ? config.MultiplyingThreads() : config.Threads();
  resources.registers_per_thread =
      std::min(kMaxRegistersPerThread, problem.device.registers_per_sm / sharing);
  return resources;
}

}  // namespace croq::operators
