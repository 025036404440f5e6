#include "croq/operators/matmul_calls.h"

#include <optional>
#include <utility>

#include "croq/model/scaling.h"

namespace croq::operators {
namespace {

constexpr int kA = 0;
constexpr int kB = 1;
constexpr int kC = 2;
constexpr int kScaleA = 3;  // of FP8
constexpr int kScaleB = 4;
constexpr std::string_view kFloat = "fp32";

/// Triton's defaults, which a launch that names none gets.
constexpr std::int64_t kDefaultStages = 3;
constexpr std::int64_t kAddingWarps = 4;

/// Builds the parameters of one kernel of one problem and configuration.
class Binder {
 public:
  Binder(const MatmulProblem& problem, const MatmulConfig& config)
      : problem_(problem), shape_(problem.shape), config_(config), variant_(*config.variant),
        facts_(FactsOf(shape_.dtype)), workspace_(1 + (problem.scaled() ? kScaleB : kC)) {}

  std::vector<BoundParameter> Matmul() {
    Operands();
    Scales();
    Sizes();
    Strides();
    Blocks();
    Levers();
    EvenFlags();
    return std::move(list_);
  }

  /// reduce_kernel, which adds the parts of a split K.
  std::vector<BoundParameter> Reduce() {
    Add(BindPointer("parts_ptr", kFloat, workspace_));
    Add(BindPointer("c_ptr", facts_.result.triton, kC));
    Add(BindInt64("elements", shape_.m * shape_.n));
    Add(BindConstant("SPLIT_K", config_.split_k));
    Add(BindConstant("REDUCE_BLOCK", kReduceBlock));
    return std::move(list_);
  }

  /// fixup_kernel, which adds the parts of the tiles that a stream-K shares out.
  std::vector<BoundParameter> Fixup() {
    Add(BindPointer("parts_ptr", kFloat, workspace_));
    Add(BindPointer("c_ptr", facts_.result.triton, kC));
    Sizes();
    Add(BindInt64("stride_c", shape_.n));
    Blocks();
    Add(BindConstant("NUM_PROGRAMS", config_.NumPrograms(problem_.device)));
    Add(BindConstant("FIXUP_ROWS", kFixupRows));
    return std::move(list_);
  }

 private:
  void Add(BoundParameter parameter) { list_.push_back(std::move(parameter)); }

  void Sizes() {
    Add(BindInt("M", shape_.m));
    Add(BindInt("N", shape_.n));
    Add(BindInt("K", shape_.k));
  }

  void Blocks() {
    Add(BindConstant("BLOCK_M", config_.block_m));
    Add(BindConstant("BLOCK_N", config_.block_n));
    Add(BindConstant("BLOCK_K", config_.block_k));
    Add(BindConstant("GROUP_M", config_.group_m));
  }

  void Operands() {
    const std::string_view operand = facts_.operand.triton;
    const bool nk = problem_.b_is_nk();
    if (variant_.host_descriptors) {
      Add(BindDescriptor("a_desc", operand, kA, shape_.m, shape_.k, config_.block_m,
                         config_.block_k));
      Add(BindDescriptor("b_desc", operand, kB, nk ? shape_.n : shape_.k, nk ? shape_.k : shape_.n,
                         nk ? config_.block_n : config_.block_k,
                         nk ? config_.block_k : config_.block_n));
    } else {
      Add(BindPointer("a_ptr", operand, kA));
      Add(BindPointer("b_ptr", operand, kB));
    }
    if (!variant_.StoresByPointer() && variant_.host_descriptors) {
      Add(BindDescriptor("c_desc", facts_.result.triton, kC, shape_.m, shape_.n, config_.block_m,
                         config_.block_n / config_.epilogue_split));
    } else if (!variant_.split_k) {
      Add(BindPointer("c_ptr", facts_.result.triton, kC));
    }
    if (variant_.split_k || variant_.stream_k) {
      Add(BindPointer("parts_ptr", kFloat, workspace_));
    }
  }

  void Scales() {
    if (!problem_.scaled()) return;
    Add(BindPointer("scale_a_ptr", kFloat, kScaleA));
    Add(BindPointer("scale_b_ptr", kFloat, kScaleB));
  }

  void Strides() {
    if (!variant_.host_descriptors) {
      Add(BindInt64("stride_a", shape_.k));
      Add(BindInt64("stride_b", problem_.b_is_nk() ? shape_.k : shape_.n));
    }
    if (!variant_.host_descriptors || variant_.StoresByPointer()) {
      Add(BindInt64("stride_c", shape_.n));
    }
  }

  void Levers() {
    if (variant_.skinny) return;
    if (variant_.split_k) {
      Add(BindConstant("SPLIT_K", config_.split_k));
      return;
    }
    if (!variant_.Descriptors()) {
      Add(BindConstant("EVICT_A", config_.evict_a));
      Add(BindConstant("EVICT_B", config_.evict_b));
    }
    Add(BindConstant("EPILOGUE_SPLIT", config_.epilogue_split));
    if (variant_.persistent && !variant_.stream_k) {
      Add(BindConstant("FLATTEN", config_.flatten));
    }
    if (variant_.device_descriptors) {
      Add(BindConstant("WARP_SPECIALIZE", config_.warp_specialize));
    }
    if (variant_.persistent) {
      Add(BindConstant("NUM_PROGRAMS", config_.NumPrograms(problem_.device)));
    }
  }

  void EvenFlags() {
    if (!variant_.StoresByPointer()) return;
    Add(BindConstant("EVEN_M", shape_.m % config_.block_m == 0));
    Add(BindConstant("EVEN_N", shape_.n % config_.block_n == 0));
    if (!variant_.Descriptors()) Add(BindConstant("EVEN_K", shape_.k % config_.block_k == 0));
  }

  const MatmulProblem& problem_;
  const ShapeKey& shape_;
  const MatmulConfig& config_;
  const MatmulVariant& variant_;
  const DTypeFacts& facts_;
  const int workspace_;  ///< its buffer
  std::vector<BoundParameter> list_;
};

std::map<std::string, std::int64_t> Options(std::int64_t warps, std::int64_t stages,
                                            std::int64_t ctas) {
  return {{"num_warps", warps}, {"num_stages", stages}, {"num_ctas", ctas}};
}

}  // namespace

std::vector<KernelCall> MatmulCalls(const MatmulProblem& problem, const MatmulConfig& config) {
  std::vector<KernelCall> calls;
  calls.push_back({"matmul_kernel",
                   Options(config.num_warps, config.num_stages, config.num_ctas),
                   {config.Grid(problem), config.split_k, 1},
                   Binder(problem, config).Matmul()});
  if (config.variant->split_k) {
    const std::int64_t elements = problem.shape.m * problem.shape.n;
    calls.push_back({"reduce_kernel",
                     Options(kAddingWarps, kDefaultStages, 1),
                     {(elements - 1) / kReduceBlock + 1, 1, 1},
                     Binder(problem, config).Reduce()});
  }
  if (config.SharedTiles(problem) > 0) {
    calls.push_back({"fixup_kernel",
                     Options(kAddingWarps, kDefaultStages, 1),
                     {config.SharedTiles(problem), config.block_m / kFixupRows, 1},
                     Binder(problem, config).Fixup()});
  }
  return calls;
}

std::vector<PlanBuffer> MatmulBuffers(const MatmulProblem& problem, const MatmulConfig& config) {
  const ShapeKey& shape = problem.shape;
  const std::int64_t bytes = problem.bytes();
  std::vector<PlanBuffer> buffers{{"a", shape.m * shape.k * bytes, false},
                                  {"b", shape.k * shape.n * bytes, false},
                                  {"c", shape.m * shape.n * problem.result_bytes(), false}};
  if (const std::optional<Scaling> scaling = ScalingOf(shape)) {
    buffers.push_back({"scale_a", scaling->a.Bytes(), false});
    buffers.push_back({"scale_b", scaling->b.Bytes(), false});
  }
  const std::int64_t workspace = config.WorkspaceBytes(problem);
  if (workspace > 0) buffers.push_back({"scratch0", workspace, true});
  return buffers;
}

}  // namespace croq::operators
