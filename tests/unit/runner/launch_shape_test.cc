#include "croq_runner/launch_shape.h"

#include <gtest/gtest.h>

namespace croq::runner {
namespace {

CompiledKernel Kernel(int num_warps, int num_ctas = 1) {
  CompiledKernel kernel;
  kernel.num_warps = num_warps;
  kernel.num_ctas = num_ctas;
  kernel.shared_bytes = 98304;
  return kernel;
}

TEST(LaunchShape, Plain) {
  const auto shape = MakeLaunchShape(Kernel(8), {132, 2, 3});
  ASSERT_TRUE(shape);
  const CUlaunchConfig config = shape->Config(nullptr);
  EXPECT_EQ(config.gridDimX, 132u);
  EXPECT_EQ(config.gridDimY, 2u);
  EXPECT_EQ(config.gridDimZ, 3u);
  EXPECT_EQ(config.blockDimX, 256u);
  EXPECT_EQ(config.blockDimY, 1u);
  EXPECT_EQ(config.sharedMemBytes, 98304u);
  EXPECT_EQ(config.numAttrs, 0u);
}

TEST(LaunchShape, AProgramIsAClusterAlongX) {
  const auto shape = MakeLaunchShape(Kernel(4, 2), {10, 3, 1});
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->grid, (std::array<unsigned, 3>{20, 3, 1}));
  ASSERT_EQ(shape->attributes.size(), 2u);
  EXPECT_EQ(shape->attributes[0].id, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  EXPECT_EQ(shape->attributes[0].value.clusterDim.x, 2u);
  EXPECT_EQ(shape->attributes[0].value.clusterDim.y, 1u);
  EXPECT_EQ(shape->attributes[1].id, CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE);
  EXPECT_EQ(shape->attributes[1].value.clusterSchedulingPolicyPreference,
            CU_CLUSTER_SCHEDULING_POLICY_SPREAD);
}

TEST(LaunchShape, AttributesInTritonsOrder) {
  CompiledKernel kernel = Kernel(4, 2);
  kernel.cooperative = true;
  kernel.programmatic_dependent_launch = true;
  const auto shape = MakeLaunchShape(kernel, {1, 1, 1});
  ASSERT_TRUE(shape);
  ASSERT_EQ(shape->attributes.size(), 4u);
  EXPECT_EQ(shape->attributes[0].id, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
  EXPECT_EQ(shape->attributes[0].value.programmaticStreamSerializationAllowed, 1);
  EXPECT_EQ(shape->attributes[1].id, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
  EXPECT_EQ(shape->attributes[1].value.cooperative, 1);
  EXPECT_EQ(shape->attributes[2].id, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
}

TEST(LaunchShape, AnEmptyGridLaunchesNothing) {
  const auto shape = MakeLaunchShape(Kernel(4), {0, 1, 1});
  ASSERT_TRUE(shape);
  EXPECT_TRUE(shape->empty);
  EXPECT_EQ(*ScratchBytes(*shape, 128), 0);
}

TEST(LaunchShape, GridsBeyondTheDeviceAreRefused) {
  EXPECT_TRUE(MakeLaunchShape(Kernel(4), {2147483647, 65535, 65535}));
  EXPECT_FALSE(MakeLaunchShape(Kernel(4), {2147483648, 1, 1}));
  EXPECT_FALSE(MakeLaunchShape(Kernel(4, 2), {1073741824, 1, 1}));
  EXPECT_FALSE(MakeLaunchShape(Kernel(4), {1, 65536, 1}));
  EXPECT_FALSE(MakeLaunchShape(Kernel(4), {1, 1, 65536}));
  EXPECT_FALSE(MakeLaunchShape(Kernel(4), {-1, 1, 1}));
  EXPECT_FALSE(MakeLaunchShape(Kernel(64), {1, 1, 1}));
  EXPECT_FALSE(MakeLaunchShape(Kernel(0), {1, 1, 1}));
  EXPECT_FALSE(MakeLaunchShape(Kernel(4, 32), {1, 1, 1}));
}

TEST(LaunchShape, ScratchIsPerBlock) {
  const auto shape = MakeLaunchShape(Kernel(4, 2), {132, 2, 1});
  ASSERT_TRUE(shape);
  EXPECT_EQ(*ScratchBytes(*shape, 384), 132 * 2 * 2 * 384);
  EXPECT_EQ(*ScratchBytes(*shape, 0), 0);
  EXPECT_FALSE(ScratchBytes(*shape, std::int64_t{1} << 40));
}

}  // namespace
}  // namespace croq::runner
