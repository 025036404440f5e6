#include "croq/operators/twin.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "croq/operators/constraints.h"
#include "unit/operators/helpers.h"

namespace croq::operators {
namespace {

using ::testing::HasSubstr;

MatmulTwin TwinOf(const std::string& key, const Config& config) {
  return MakeMatmulTwin(Problem(key), config, Must(ReadMatmulConfig(config)));
}

TEST(Twin, EvenTilesStayEvenAndAreSeveral) {
  const MatmulTwin twin = TwinOf(kSquare, Configured(kTiled));
  EXPECT_EQ(twin.problem.shape.text, "matmul_f16fp32_96x64x96");
  EXPECT_EQ(twin.config.Int("BLOCK_M"), 32);
  EXPECT_EQ(twin.config.Int("GROUP_M"), 2);
}

TEST(Twin, RaggedEdgesStayRagged) {
  const MatmulTwin twin = TwinOf("matmul_f16fp32_1000x2000x3001", Configured(kTiled));
  EXPECT_EQ(twin.problem.shape.m, 64 + 24);
  EXPECT_EQ(twin.problem.shape.n, 32 + 16);
  EXPECT_EQ(twin.problem.shape.k, 64 + 3);
}

TEST(Twin, OnesStayOnes) {
  const MatmulTwin twin = TwinOf("matmul_f16fp32_1x4096x1", Configured(kTiled));
  EXPECT_EQ(twin.problem.shape.m, 1);
  EXPECT_EQ(twin.problem.shape.k, 1);
}

TEST(Twin, PersistentProgramsLoop) {
  const MatmulTwin twin = TwinOf(kSquare, Configured(kPersistent));
  const MatmulConfig config = Must(ReadMatmulConfig(twin.config));
  EXPECT_LT(config.Grid(twin.problem), config.Tiles(twin.problem.shape));
}

TEST(Twin, PartsOfKStaySeveral) {
  const MatmulTwin twin = TwinOf(kThin, Configured(kSplitK, "SPLIT_K=16"));
  EXPECT_EQ(twin.config.Int("SPLIT_K"), 2);
  EXPECT_EQ(Must(ReadMatmulConfig(twin.config)).StepsK(twin.problem.shape), 3);
}

TEST(Twin, StreamKKeepsWholeAndSharedTiles) {
  const MatmulTwin twin = TwinOf(kSquare, Configured(kStreamK));
  const MatmulConfig config = Must(ReadMatmulConfig(twin.config));
  EXPECT_EQ(config.Tiles(twin.problem.shape), 6);
  EXPECT_EQ(config.SharedTiles(twin.problem), 2);
}

TEST(Twin, BfloatIsCheckedAsHalfAndSaysSo) {
  const Twin twin = Must(
      Factory("matmul_bf16fp32_4096x4096x4096")->MakeTwin(Configured(kTiled)));
  EXPECT_EQ(twin.shape.dtype, DType::kF16Fp32);
  EXPECT_EQ(twin.tolerance, 1e-3);
  EXPECT_THAT(twin.source, HasSubstr("DTYPE = torch.float16"));
  EXPECT_THAT(twin.note, HasSubstr("f16"));
  EXPECT_EQ(Must(Factory(kSquare)->MakeTwin(Configured(kTiled))).note, "");
}

RC_GTEST_PROP(Twin, KeepsDivisibilityAndEvenness, (bool nt, bool persistent)) {
  const auto dimension = rc::gen::oneOf(
      rc::gen::inRange<std::int64_t>(1, 300), rc::gen::inRange<std::int64_t>(1, 70000),
      rc::gen::map(rc::gen::inRange<std::int64_t>(1, 400), [](std::int64_t x) { return 16 * x; }));
  const auto block = [](const char* lever) {
    return std::make_pair(lever, *rc::gen::element<std::int64_t>(16, 32, 64, 128, 256));
  };
  MatmulProblem problem = Problem(nt ? "matmul_nt_f16fp32_1x1x1" : "matmul_f16fp32_1x1x1");
  problem.shape.m = *dimension;
  problem.shape.n = *dimension;
  problem.shape.k = *dimension;
  Config config = Configured(persistent ? kPersistent : kTiled);
  for (const auto& [lever, value] : {block("BLOCK_M"), block("BLOCK_N"), block("BLOCK_K")}) {
    config.values.insert_or_assign(lever, value);
  }
  const MatmulTwin twin = MakeMatmulTwin(problem, config, Must(ReadMatmulConfig(config)));
  const std::tuple<std::int64_t, std::int64_t, const char*> pairs[] = {
      {problem.shape.m, twin.problem.shape.m, "BLOCK_M"},
      {problem.shape.n, twin.problem.shape.n, "BLOCK_N"},
      {problem.shape.k, twin.problem.shape.k, "BLOCK_K"}};
  for (const auto& [length, small, lever] : pairs) {
    RC_ASSERT(small >= 1);
    RC_ASSERT(small <= 3 * 32);
    RC_ASSERT(std::gcd(small, std::int64_t{16}) == std::gcd(length, std::int64_t{16}));
    RC_ASSERT((small % twin.config.Int(lever) == 0) == (length % config.Int(lever) == 0));
    RC_ASSERT((small == 1) == (length == 1));
  }
  RC_ASSERT(AllowsDescriptors(twin.problem.shape) == AllowsDescriptors(problem.shape));
}

}  // namespace
}  // namespace croq::operators
