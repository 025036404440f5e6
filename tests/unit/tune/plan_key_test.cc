#include "croq/tune/plan_key.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

namespace croq::tune {
namespace {

CompiledKernel MakeKernel(const std::string& fingerprint) {
  CompiledKernel kernel;
  kernel.cubin_path = "/tmp/" + fingerprint + ".cubin";
  kernel.cubin_fingerprint = fingerprint;
  kernel.entry = "matmul_kernel";
  kernel.num_warps = 8;
  kernel.shared_bytes = 98304;
  kernel.tensordesc_meta = {{3, 2, 6, {128, 64}}};
  return kernel;
}

/// Two kernels, one launch, a fill and a copy, with every kind of argument.
LaunchPlan MakePlan() {
  LaunchPlan plan;
  plan.kernels = {MakeKernel("aaaa"), MakeKernel("bbbb")};
  plan.buffers = {{"a", 4096, false}, {"c", 4096, false}, {"partial", 8192, true}};
  LaunchStep launch;
  launch.grid = {132, 1, 1};
  launch.arguments = {PointerArgument{0, 0}, ScalarArgument{"i32", 4096, 0},
                      ScalarArgument{"fp32", 0, 0.5},
                      DescriptorArgument{0, 0, {64, 64}, {64, 1}, false}};
  plan.steps = {launch, FillStep{2, 0, 8192, {0}}, CopyStep{2, 0, 1, 0, 4096}};
  return plan;
}

LaunchStep& Launch(LaunchPlan& plan) {
  return std::get<LaunchStep>(plan.steps[0]);
}
FillStep& Fill(LaunchPlan& plan) {
  return std::get<FillStep>(plan.steps[1]);
}
CopyStep& Copy(LaunchPlan& plan) {
  return std::get<CopyStep>(plan.steps[2]);
}
template <typename Kind>
Kind& Passed(LaunchPlan& plan, std::size_t index) {
  return std::get<Kind>(Launch(plan).arguments[index]);
}

using Change = std::function<void(LaunchPlan&)>;

/// Each of them makes another piece of work for the GPU.
std::map<std::string, Change> Changes() {
  return {
      {"cubin", [](LaunchPlan& p) { p.kernels[0].cubin_fingerprint = "cccc"; }},
      {"entry", [](LaunchPlan& p) { p.kernels[0].entry = "other"; }},
      {"warps", [](LaunchPlan& p) { p.kernels[0].num_warps = 4; }},
      {"cluster", [](LaunchPlan& p) { p.kernels[0].num_ctas = 2; }},
      {"shared", [](LaunchPlan& p) { p.kernels[0].shared_bytes = 1024; }},
      {"cooperative", [](LaunchPlan& p) { p.kernels[0].cooperative = true; }},
      {"pdl", [](LaunchPlan& p) { p.kernels[0].programmatic_dependent_launch = true; }},
      {"scratch", [](LaunchPlan& p) { p.kernels[0].global_scratch_bytes = 128; }},
      {"profile scratch", [](LaunchPlan& p) { p.kernels[0].profile_scratch_bytes = 128; }},
      {"scratch parameters", [](LaunchPlan& p) { p.kernels[0].scratch_parameters = 1; }},
      {"descriptor box", [](LaunchPlan& p) { p.kernels[0].tensordesc_meta[0].block_size[1] = 32; }},
      {"swizzle", [](LaunchPlan& p) { p.kernels[0].tensordesc_meta[0].swizzle = 2; }},
      {"which kernel", [](LaunchPlan& p) { Launch(p).kernel = 1; }},
      {"grid x", [](LaunchPlan& p) { Launch(p).grid[0] = 264; }},
      {"grid y", [](LaunchPlan& p) { Launch(p).grid[1] = 2; }},
      {"grid z", [](LaunchPlan& p) { Launch(p).grid[2] = 2; }},
      {"pointer's buffer", [](LaunchPlan& p) { Passed<PointerArgument>(p, 0).buffer = 1; }},
      {"pointer's offset", [](LaunchPlan& p) { Passed<PointerArgument>(p, 0).offset = 16; }},
      {"scalar's value", [](LaunchPlan& p) { Passed<ScalarArgument>(p, 1).integer = 1; }},
      {"scalar's type", [](LaunchPlan& p) { Passed<ScalarArgument>(p, 1).type = "i64"; }},
      {"real", [](LaunchPlan& p) { Passed<ScalarArgument>(p, 2).real = 0.25; }},
      {"descriptor's buffer", [](LaunchPlan& p) { Passed<DescriptorArgument>(p, 3).buffer = 1; }},
      {"descriptor's offset", [](LaunchPlan& p) { Passed<DescriptorArgument>(p, 3).offset = 16; }},
      {"descriptor's shape", [](LaunchPlan& p) { Passed<DescriptorArgument>(p, 3).shape[0] = 8; }},
      {"strides", [](LaunchPlan& p) { Passed<DescriptorArgument>(p, 3).strides[0] = 8; }},
      {"padding", [](LaunchPlan& p) { Passed<DescriptorArgument>(p, 3).nan_padding = true; }},
      {"an argument less", [](LaunchPlan& p) { Launch(p).arguments.pop_back(); }},
      {"fill's buffer", [](LaunchPlan& p) { Fill(p).buffer = 1; }},
      {"fill's offset", [](LaunchPlan& p) { Fill(p).offset = 8; }},
      {"fill's bytes", [](LaunchPlan& p) { Fill(p).bytes = 8; }},
      {"fill's pattern",
       [](LaunchPlan& p) {
         Fill(p).pattern = {0, 1};
       }},
      {"copy's source", [](LaunchPlan& p) { Copy(p).source = 0; }},
      {"copy's source offset", [](LaunchPlan& p) { Copy(p).source_offset = 8; }},
      {"copy's target", [](LaunchPlan& p) { Copy(p).target = 0; }},
      {"copy's target offset", [](LaunchPlan& p) { Copy(p).target_offset = 8; }},
      {"copy's bytes", [](LaunchPlan& p) { Copy(p).bytes = 8; }},
      {"order", [](LaunchPlan& p) { std::swap(p.steps[1], p.steps[2]); }},
      {"a step less", [](LaunchPlan& p) { p.steps.pop_back(); }},
      {"buffer's size", [](LaunchPlan& p) { p.buffers[2].bytes = 16384; }},
      {"buffer's role", [](LaunchPlan& p) { p.buffers[2].scratch = false; }},
      {"buffer's name", [](LaunchPlan& p) { p.buffers[1].name = "b"; }},
  };
}

TEST(PlanKey, EqualPlansHaveEqualKeys) {
  EXPECT_EQ(PlanKey(MakePlan()), PlanKey(MakePlan()));
}

TEST(PlanKey, WhereTheCubinLiesDoesNotMatter) {
  LaunchPlan moved = MakePlan();
  moved.kernels[0].cubin_path = "/elsewhere";
  EXPECT_EQ(PlanKey(moved), PlanKey(MakePlan()));
}

TEST(PlanKey, WhichPlaceAKernelHasDoesNotMatter) {
  LaunchPlan turned = MakePlan();
  std::swap(turned.kernels[0], turned.kernels[1]);
  Launch(turned).kernel = 1;
  EXPECT_EQ(PlanKey(turned), PlanKey(MakePlan()));
}

TEST(PlanKey, AnyChangedPartDiffers) {
  std::map<std::string, std::string> keys{{PlanKey(MakePlan()), "nothing changed"}};
  for (const auto& [name, change] : Changes()) {
    LaunchPlan plan = MakePlan();
    change(plan);
    const auto [at, fresh] = keys.emplace(PlanKey(plan), name);
    EXPECT_TRUE(fresh) << name << " has the key of: " << at->second;
  }
}

}  // namespace
}  // namespace croq::tune
