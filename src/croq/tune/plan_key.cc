#include "croq/tune/plan_key.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "croq/base/hash.h"

namespace croq::tune {
namespace {

struct ArgumentText {
  std::string operator()(const PointerArgument& a) const {
    return fmt::format("p{}+{}", a.buffer, a.offset);
  }
  std::string operator()(const ScalarArgument& a) const {
    return fmt::format("s{}:{}:{}", a.type, a.integer, a.real);
  }
  std::string operator()(const DescriptorArgument& a) const {
    return fmt::format("d{}+{}[{}][{}]{}", a.buffer, a.offset, fmt::join(a.shape, ","),
                       fmt::join(a.strides, ","), a.nan_padding);
  }
};

struct StepText {
  const LaunchPlan& plan;

  std::string operator()(const LaunchStep& step) const {
    const CompiledKernel& kernel = plan.kernels[static_cast<std::size_t>(step.kernel)];
    std::string text =
        fmt::format("launch {} {} w{} c{} s{} g{}x{}x{}", kernel.cubin_fingerprint, kernel.entry,
                    kernel.num_warps, kernel.num_ctas, kernel.shared_bytes, step.grid[0],
                    step.grid[1], step.grid[2]);
    text += fmt::format(" l{}{} g{}/{} p{} n{}", kernel.cooperative,
                        kernel.programmatic_dependent_launch, kernel.global_scratch_bytes,
                        kernel.global_scratch_align, kernel.profile_scratch_bytes,
                        kernel.scratch_parameters);
    for (const CompiledKernel::TensorDescMeta& meta : kernel.tensordesc_meta) {
      text += fmt::format(" t{}:{}:{}[{}]", meta.swizzle, meta.elem_size, meta.elem_type,
                          fmt::join(meta.block_size, ","));
    }
    for (const Argument& argument : step.arguments) {
      text += ' ' + std::visit(ArgumentText{}, argument);
    }
    return text;
  }
  std::string operator()(const FillStep& step) const {
    return fmt::format("fill {}+{} {} {}", step.buffer, step.offset, step.bytes,
                       fmt::join(step.pattern, ","));
  }
  std::string operator()(const CopyStep& step) const {
    return fmt::format("copy {}+{} {}+{} {}", step.source, step.source_offset, step.target,
                       step.target_offset, step.bytes);
  }
};

}  // namespace

std::string PlanKey(const LaunchPlan& plan) {
  std::string text;
  for (const PlanBuffer& buffer : plan.buffers) {
    text += fmt::format("{}:{}:{};", buffer.name, buffer.bytes, buffer.scratch);
  }
  for (const PlanStep& step : plan.steps) text += std::visit(StepText{plan}, step) + ';';
  return Fingerprint(text);
}

}  // namespace croq::tune
