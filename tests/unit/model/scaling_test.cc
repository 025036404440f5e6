#include "croq/model/scaling.h"

#include <gtest/gtest.h>

namespace croq {
namespace {

TEST(ScalingOf, HasOneScaleATensor) {
  const Scaling scaling = ScalingOf(ParseShapeKey("matmul_nt_e4m3fp32_100x208x304").value()).value();
  EXPECT_EQ(scaling.a.Elements(), 1);
  EXPECT_EQ(scaling.a.Bytes(), 4);
  EXPECT_EQ(scaling.b.Elements(), 1);
  EXPECT_EQ(scaling.b.block_lines, 208);
  EXPECT_EQ(scaling.b.block_depth, 304);
}

TEST(ScalingOf, HasAScaleForEachBlockThoseAtTheEdgeIncluded) {
  const Scaling scaling =
      ScalingOf(ParseShapeKey("blockscale_gemm_e4m3fp16fp32_100x208x304").value()).value();
  EXPECT_EQ(scaling.a.lines, 100);
  EXPECT_EQ(scaling.a.steps, 3);
  EXPECT_EQ(scaling.b.lines, 2);
  EXPECT_EQ(scaling.b.steps, 3);
}

TEST(ScalingOf, IsForFloat8Alone) {
  EXPECT_FALSE(ScalingOf(ParseShapeKey("matmul_nt_bf16fp32_100x208x304").value()));
}

}  // namespace
}  // namespace croq
