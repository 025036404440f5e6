#include "croq/operators/plan.h"

#include <utility>

namespace croq::operators {
namespace {

constexpr int kA = 0;
constexpr int kB = 1;
constexpr int kC = 2;

using Parameters = std::vector<BoundParameter>;

void BindOperands(const MatmulProblem& problem, const MatmulConfig& config, Parameters* list) {
  const DType dtype = problem.shape.dtype;
  if (!config.variant->host_descriptors) {
    list->push_back(BindPointer("a_ptr", dtype, kA));
    list->push_back(BindPointer("b_ptr", dtype, kB));
    list->push_back(BindPointer("c_ptr", dtype, kC));
    return;
  }
  const std::int64_t m = problem.shape.m;
  const std::int64_t n = problem.shape.n;
  const std::int64_t k = problem.shape.k;
  const bool nk = problem.b_is_nk();
  list->push_back(BindDescriptor("a_desc", dtype, kA, m, k, config.block_m, config.block_k));
  list->push_back(BindDescriptor("b_desc", dtype, kB, nk ? n : k, nk ? k : n,
                                 nk ? config.block_n : config.block_k,
                                 nk ? config.block_k : config.block_n));
  list->push_back(BindDescriptor("c_desc", dtype, kC, m, n, config.block_m,
                                 config.block_n / config.epilogue_split));
}

void BindConstants(const MatmulProblem& problem, const MatmulConfig& config, Parameters* list) {
  const ShapeKey& shape = problem.shape;
  const MatmulVariant& variant = *config.variant;
  list->push_back(BindConstant("BLOCK_M", config.block_m));
  list->push_back(BindConstant("BLOCK_N", config.block_n));
  list->push_back(BindConstant("BLOCK_K", config.block_k));
  list->push_back(BindConstant("GROUP_M", config.group_m));
  if (!variant.Descriptors()) {
    list->push_back(BindConstant("EVICT_A", config.evict_a));
    list->push_back(BindConstant("EVICT_B", config.evict_b));
  }
  list->push_back(BindConstant("EPILOGUE_SPLIT", config.epilogue_split));
  if (variant.persistent) list->push_back(BindConstant("FLATTEN", config.flatten));
  if (variant.device_descriptors) {
    list->push_back(BindConstant("WARP_SPECIALIZE", config.warp_specialize));
  }
  if (variant.persistent) {
    list->push_back(BindConstant("NUM_PROGRAMS", config.NumPrograms(problem.device)));
  }
  if (!variant.Descriptors()) {
    list->push_back(BindConstant("EVEN_M", shape.m % config.block_m == 0));
    list->push_back(BindConstant("EVEN_N", shape.n % config.block_n == 0));
    list->push_back(BindConstant("EVEN_K", shape.k % config.block_k == 0));
  }
}

}  // namespace

std::vector<BoundParameter> BindMatmul(const MatmulProblem& problem, const MatmulConfig& config) {
  const ShapeKey& shape = problem.shape;
  Parameters list;
  BindOperands(problem, config, &list);
  list.push_back(BindInt("M", shape.m));
  list.push_back(BindInt("N", shape.n));
  list.push_back(BindInt("K", shape.k));
  if (!config.variant->host_descriptors) {
    list.push_back(BindInt64("stride_a", shape.k));
    list.push_back(BindInt64("stride_b", problem.b_is_nk() ? shape.k : shape.n));
    list.push_back(BindInt64("stride_c", shape.n));
  }
  BindConstants(problem, config, &list);
  return list;
}

CompileJob MatmulJob(const MatmulProblem& problem, const MatmulConfig& config,
                     const std::filesystem::path& source) {
  CompileJob job;
  job.source_path = source.string();
  job.kernel = "matmul_kernel";
  for (BoundParameter& bound : BindMatmul(problem, config)) {
    job.parameters.push_back(std::move(bound.parameter));
  }
  job.options = {{"num_warps", config.num_warps},
                 {"num_stages", config.num_stages},
                 {"num_ctas", config.num_ctas}};
  job.compute_capability = problem.device.compute_capability;
  return job;
}

LaunchPlan MatmulPlan(const MatmulProblem& problem, const MatmulConfig& config,
                      CompiledKernel kernel) {
  const ShapeKey& shape = problem.shape;
  const std::int64_t bytes = problem.bytes();
  LaunchPlan plan;
  plan.kernels.push_back(std::move(kernel));
  plan.buffers = {{"a", shape.m * shape.k * bytes, false},
                  {"b", shape.k * shape.n * bytes, false},
                  {"c", shape.m * shape.n * bytes, false}};
  LaunchStep step;
  step.grid = {config.Grid(problem), 1, 1};
  for (BoundParameter& bound : BindMatmul(problem, config)) {
    if (bound.argument) step.arguments.push_back(std::move(*bound.argument));
  }
  plan.steps.emplace_back(std::move(step));
  return plan;
}

}  // namespace croq::operators
