#include "croq_runner/set_plan.h"

#include <gmock/gmock.h>

#include "croq_runner/cublas.h"

namespace croq::runner {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kMib = 1024 * 1024;
constexpr std::int64_t kGib = 1024 * kMib;

ShapeKey Shape(const char* text) {
  auto shape = ParseShapeKey(text);
  EXPECT_TRUE(shape) << text;
  return *shape;
}

TEST(PlanSets, TakesThreeSetsWhereOneIsBeyondTheL2) {
  const auto plan = PlanSets(Shape("matmul_f16fp32_8192x8192x8192"), 60 * kMib, 140 * kGib);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->sets, 3);
  EXPECT_EQ(plan->a_bytes, 128 * kMib);
}

TEST(PlanSets, GoesBeyondTwiceTheL2) {
  const auto plan = PlanSets(Shape("matmul_f16fp32_1024x512x256"), 60 * kMib, 140 * kGib);
  ASSERT_TRUE(plan);
  const std::int64_t set = plan->a_bytes + plan->b_bytes + plan->c_bytes;
  EXPECT_GT(plan->sets * set, 120 * kMib);
  EXPECT_LE((plan->sets - 1) * set, 120 * kMib);
}

TEST(PlanSets, StopsAtAThousandSets) {
  const auto plan = PlanSets(Shape("matmul_f32_1x1x1"), 60 * kMib, 140 * kGib);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->sets, 1024);
}

TEST(PlanSets, ManagesWithTwoWhereMemoryIsShort) {
  // A set is 384 MiB, a reference 768 MiB: three sets would not fit.
  const auto plan = PlanSets(Shape("matmul_f16fp32_8192x8192x8192"), 60 * kMib, 1900 * kMib);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->sets, 2);
}

TEST(CountSets, KeepsRoomForFurtherReferencesWhereThereIsSome) {
  const MemoryNeed need{1.0 * kGib, 1.0 * kGib, 2.0 * kGib};
  EXPECT_EQ(CountSets("x", need, 60 * kMib, 140 * kGib).value(), 3);
  // 2.75 GiB remain beside reference and reserve: two sets, and no further reference.
  EXPECT_EQ(CountSets("x", need, 60 * kMib, 4 * kGib).value(), 2);
  EXPECT_THAT(CountSets("softmax_f32_9", need, 60 * kMib, 3 * kGib).error().message,
              HasSubstr("softmax_f32_9 needs 3.25 GiB"));
  EXPECT_EQ(CountSets("empty", {0, 0, 0}, 60 * kMib, 140 * kGib).value(), 1024);
}

TEST(PlanSets, SaysWhatIsNeededAndWhatIsThere) {
  const auto plan = PlanSets(Shape("matmul_f16fp32_8192x8192x8192"), 60 * kMib, 1 * kGib);
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().message, HasSubstr("needs 1.75 GiB"));
  EXPECT_THAT(plan.error().message, HasSubstr("1.00 GiB are free"));
}

TEST(PlanSets, DoesNotOverflowOnTheLargestShape) {
  const auto plan = PlanSets(Shape("matmul_f32_2147483647x2147483647x2147483647"), 60 * kMib, kGib);
  EXPECT_FALSE(plan);
}

TEST(ToColumnMajor, SwapsTheOperands) {
  const auto nn = ToColumnMajor(Shape("matmul_f16fp32_2x3x5"));
  ASSERT_TRUE(nn);
  EXPECT_EQ(nn->m, 3);
  EXPECT_EQ(nn->n, 2);
  EXPECT_EQ(nn->k, 5);
  EXPECT_EQ(nn->first_operation, kCublasOpN);
  EXPECT_EQ(nn->lda, 3);  // B [5,3] read by columns is [3,5]
  EXPECT_EQ(nn->ldb, 5);
  EXPECT_EQ(nn->ldc, 3);
  const auto nt = ToColumnMajor(Shape("matmul_nt_f16fp32_2x3x5"));
  ASSERT_TRUE(nt);
  EXPECT_EQ(nt->first_operation, kCublasOpT);
  EXPECT_EQ(nt->lda, 5);  // B [3,5] read by columns is [5,3]
}

}  // namespace
}  // namespace croq::runner
