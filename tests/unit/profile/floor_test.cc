#include "croq/profile/floor.h"

#include <gtest/gtest.h>

#include "unit/profile/helpers.h"

namespace croq::profile {
namespace {

TEST(Floor, FollowsTheMeasuredClockOnHopper) {
  // 4096 a cycle and SM: an H100's 132 SMs at 1830 MHz give its 989.4 TFLOPS.
  EXPECT_NEAR(PeakFlops(H200(), DType::kF16Fp32, 1830), 989.4e12, 0.1e12);
  EXPECT_NEAR(PeakFlops(H200(), DType::kTf32Fp32, 1830), 494.7e12, 0.1e12);
  EXPECT_NEAR(PeakFlops(H200(), DType::kF32, 1830), 61.8e12, 0.1e12);
}

TEST(Floor, TakesTheStatedPeakWithoutAClock) {
  const DeviceFacts device = H200();
  EXPECT_EQ(PeakFlops(device, DType::kF16Fp32, 0), device.peak_tflops_f16 * 1e12);
}

TEST(Floor, IsTheLargerOfBothSides) {
  DeviceFacts device = H200();
  device.memory_gb_per_s = 4000;
  const ShapeKey large = Shape();
  EXPECT_NEAR(FloorMillis(device, large, 1830), large.Flops() / 989.4e12 * 1e3, 1e-3);
  const ShapeKey skinny = Shape("matmul_f16fp32_16x8192x8192");
  EXPECT_NEAR(FloorMillis(device, skinny, 1830), skinny.CompulsoryBytes() / 4e12 * 1e3, 1e-9);
}

TEST(Floor, IsUnknownWithoutFigures) {
  const DeviceFacts nothing;
  EXPECT_EQ(FloorMillis(nothing, Shape(), 0), 0);
}

}  // namespace
}  // namespace croq::profile
