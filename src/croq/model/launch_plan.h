#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace croq {

/// A compiled kernel: where the cubin lies and what a launch of it needs (Triton's metadata).
struct CompiledKernel {
  std::string cubin_path;       ///< absolute
  std::string cubin_fingerprint;
  std::string entry;            ///< symbol for cuModuleGetFunction
  int num_warps = 4;            ///< total, warp-specialised partitions included; blockDim = 32x
  int num_ctas = 1;             ///< blocks per cluster
  std::int64_t shared_bytes = 0;
  std::int64_t global_scratch_bytes = 0;  ///< per block
  std::int64_t global_scratch_align = 1;
  std::int64_t profile_scratch_bytes = 0;
  int scratch_parameters = 2;   ///< trailing pointers of the ABI: 1 in Triton 3.4, 2 from 3.5
  bool cooperative = false;
  bool programmatic_dependent_launch = false;

  /// One per host tensor descriptor, in argument order.
  struct TensorDescMeta {
    int swizzle = 0;
    int elem_size = 0;
    int elem_type = 0;
    std::vector<std::int64_t> block_size;
  };
  std::vector<TensorDescMeta> tensordesc_meta;

  // Read out of the cubin (croq/model does not parse it; the builder fills these in).
  int registers = 0;            ///< per thread
  int local_bytes = 0;          ///< per thread; above 0 means spills or a stack frame
};

/// Memory a plan uses. Roles a, b, c are the operator's operands, held by the runner; scratch is
/// allocated for the plan.
struct PlanBuffer {
  std::string name;             ///< "a", "b", "c" or a scratch name
  std::int64_t bytes = 0;
  bool scratch = false;
};

struct PointerArgument {
  int buffer = 0;               ///< index into LaunchPlan::buffers
  std::int64_t offset = 0;      ///< bytes
};

struct ScalarArgument {
  std::string type;             ///< i32, i64, u64, u1, fp32, ...
  std::int64_t integer = 0;
  double real = 0;              ///< for fp types
};

/// A host tensor descriptor: expanded by the runner to CUtensorMap + i32 shape + i64 strides.
struct DescriptorArgument {
  int buffer = 0;
  std::int64_t offset = 0;      ///< bytes
  std::vector<std::int64_t> shape;    ///< elements
  std::vector<std::int64_t> strides;  ///< elements; the last is 1
  bool nan_padding = false;
};

/// Non-constexpr arguments in parameter order.
using Argument = std::variant<PointerArgument, ScalarArgument, DescriptorArgument>;

struct LaunchStep {
  int kernel = 0;               ///< index into LaunchPlan::kernels
  std::array<std::int64_t, 3> grid{1, 1, 1};  ///< in programs
  std::vector<Argument> arguments;
};

struct FillStep {
  int buffer = 0;
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
  std::vector<std::uint8_t> pattern;  ///< 1, 2, 4 or 8 bytes, repeated
};

struct CopyStep {
  int source = 0;
  std::int64_t source_offset = 0;
  int target = 0;
  std::int64_t target_offset = 0;
  std::int64_t bytes = 0;
};

using PlanStep = std::variant<LaunchStep, FillStep, CopyStep>;

/// Everything that calling the candidate's host function once puts on the stream, in order.
struct LaunchPlan {
  std::vector<CompiledKernel> kernels;
  std::vector<PlanBuffer> buffers;
  std::vector<PlanStep> steps;
};

}  // namespace croq
