#pragma once

#include "croq/model/launch_plan.h"
#include "croq/protocol/fields.h"

/// Describe functions of launch plans, shared by the .cc files whose messages hold plans.
namespace croq::protocol {

template <typename V>
void Describe(V& visit, typename V::template Ref<CompiledKernel::TensorDescMeta> meta) {
  visit("swizzle", meta.swizzle);
  visit("elem_size", meta.elem_size);
  visit("elem_type", meta.elem_type);
  visit("block_size", meta.block_size);
}

/// What Triton's metadata gives; the builder reads registers and local memory out of the cubin.
template <typename V>
void DescribeMetadata(V& visit, typename V::template Ref<CompiledKernel> kernel) {
  visit("cubin", kernel.cubin_path);
  visit("entry", kernel.entry);
  visit("num_warps", kernel.num_warps);
  visit("num_ctas", kernel.num_ctas);
  visit("shared", kernel.shared_bytes);
  visit("global_scratch_size", kernel.global_scratch_bytes);
  visit("global_scratch_align", kernel.global_scratch_align);
  visit("profile_scratch_size", kernel.profile_scratch_bytes);
  visit("scratch_parameters", kernel.scratch_parameters);
  visit("cooperative", kernel.cooperative);
  visit("pdl", kernel.programmatic_dependent_launch);
  visit("tensordesc_meta", kernel.tensordesc_meta);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<CompiledKernel> kernel) {
  DescribeMetadata(visit, kernel);
  visit("fingerprint", kernel.cubin_fingerprint);
  visit("registers", kernel.registers);
  visit("local_bytes", kernel.local_bytes);
}

template <typename V>
void Describe(V& visit, typename V::template Ref<PlanBuffer> buffer) {
  visit("name", buffer.name);
  visit("bytes", buffer.bytes);
  visit("scratch", buffer.scratch);
}

/// What is wrong with the steps' indexes into `kernels` kernels and the buffers; nothing where they
/// hold.
Status CheckPlanIndexes(std::size_t kernels, const std::vector<PlanBuffer>& buffers,
                        const std::vector<PlanStep>& steps);

template <typename V>
void Describe(V& visit, typename V::template Ref<LaunchPlan> plan) {
  visit("kernels", plan.kernels);
  visit("buffers", plan.buffers);
  visit("steps", plan.steps);
  if constexpr (V::kReads) {
    const Status checked = CheckPlanIndexes(plan.kernels.size(), plan.buffers, plan.steps);
    if (!checked)
      visit.Fail(checked.error().message);
  }
}

}  // namespace croq::protocol
