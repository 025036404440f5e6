#include "croq/search/roofline.h"

#include <gtest/gtest.h>

namespace croq::search {
namespace {

const DeviceFacts& Device() {
  static const DeviceFacts device = OfflineDevice(90).value();
  return device;
}

ShapeKey Key(double flops, double bytes) {
  ShapeKey key = MakeBroughtKey("softmax", DType::kF16Fp32, {{"M", 16384}, {"N", 8192}}).value();
  key.stated_flops = flops;
  key.stated_bytes = bytes;
  return key;
}

LaunchPlan Plan(int warps, int registers, int local_bytes = 0, std::int64_t shared = 0,
                std::int64_t programs = 16384) {
  LaunchPlan plan;
  CompiledKernel kernel;
  kernel.num_warps = warps;
  kernel.registers = registers;
  kernel.local_bytes = local_bytes;
  kernel.shared_bytes = shared;
  plan.kernels = {kernel};
  plan.buffers = {{"x", 1 << 28, false}, {"y", 1 << 28, false}};
  LaunchStep step;
  step.grid = {programs, 1, 1};
  plan.steps = {step};
  return plan;
}

TEST(Roofline, NeverBeatsTheRoofs) {
  const double bytes = 5.4e8;
  EXPECT_GE(PredictPlanMillis(Key(0, bytes), Device(), Plan(8, 64)),
            1e3 * bytes / (Device().memory_gb_per_s * 1e9));
  const double flops = 1e13;
  EXPECT_GE(PredictPlanMillis(Key(flops, 1), Device(), Plan(8, 64)),
            1e3 * flops / (Device().peak_tflops_f16 * 1e12));
}

TEST(Roofline, SpillsAndLowOccupancyCost) {
  const ShapeKey key = Key(0, 5.4e8);
  const double good = PredictPlanMillis(key, Device(), Plan(8, 64));
  EXPECT_GT(PredictPlanMillis(key, Device(), Plan(8, 64, 512)), 1.2 * good);
  EXPECT_GT(PredictPlanMillis(key, Device(), Plan(1, 40, 0, 200'000)), 2 * good);
}

TEST(Roofline, AShortLastWaveCostsAWholeOne) {
  const ShapeKey key = Key(1e12, 1);
  const int slots = Device().sm_count;
  const LaunchPlan whole = Plan(32, 64, 0, 120'000, slots);
  const LaunchPlan one_more = Plan(32, 64, 0, 120'000, slots + 1);
  EXPECT_GT(PredictPlanMillis(key, Device(), one_more),
            1.5 * PredictPlanMillis(key, Device(), whole));
}

TEST(Roofline, WithoutStatedBytesTheBuffersCount) {
  const double twice = 2.0 * (1 << 28);
  EXPECT_DOUBLE_EQ(PredictPlanMillis(Key(0, 0), Device(), Plan(8, 64)),
                   PredictPlanMillis(Key(0, twice), Device(), Plan(8, 64)));
}

}  // namespace
}  // namespace croq::search
