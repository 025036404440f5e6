#include "croq/operators/constraints.h"

#include <gmock/gmock.h>

#include "unit/operators/helpers.h"

namespace croq::operators {
namespace {

using ::testing::HasSubstr;

std::string Reason(const std::string& key, const Config& config) {
  return RejectMatmul(Problem(key), config).value_or("");
}

struct Rejection {
  const char* name;
  const char* shape;
  const char* config;
  const char* changes;
  const char* reason;  ///< a part of it; empty: accepted
};

class ConstraintsTest : public ::testing::TestWithParam<Rejection> {};

TEST_P(ConstraintsTest, SaysWhy) {
  const Rejection& test = GetParam();
  const std::string reason = Reason(test.shape, Configured(test.config, test.changes));
  if (std::string(test.reason).empty()) {
    EXPECT_EQ(reason, "");
  } else {
    EXPECT_THAT(reason, HasSubstr(test.reason));
  }
}

constexpr const char* kOdd = "matmul_f16fp32_4096x4097x4096";

INSTANTIATE_TEST_SUITE_P(
    All, ConstraintsTest,
    ::testing::Values(
        Rejection{"Tiled", kSquare, kTiled, "", ""},
        Rejection{"Descriptor", kSquare, kDescriptor, "", ""},
        Rejection{"Persistent", kSquare, kPersistent, "", ""},
        Rejection{"TiledTakesOddRows", kOdd, kTiled, "", ""},
        Rejection{"BlockNoPowerOfTwo", kSquare, kTiled, "BLOCK_K=48", "not a power of two"},
        Rejection{"WarpsNoPowerOfTwo", kSquare, kTiled, "num_warps=6", "not a power of two"},
        Rejection{"SplitInFour", kSquare, kTiled, "EPILOGUE_SPLIT=4", "up to 2 parts"},
        Rejection{"BelowDot", kSquare, kTiled, "BLOCK_K=8", "below tl.dot's"},
        Rejection{"TooManyElements", kSquare, kTiled, "BLOCK_M=2048 BLOCK_N=1024", "exceeds"},
        Rejection{"OddRowsForTma", kOdd, kDescriptor, "", "16-byte"},
        Rejection{"OddDepthForTma", "matmul_nt_f16fp32_4096x4096x4100", kPersistent, "", "16-byte"},
        Rejection{"BoxOver256", kSquare, kDescriptor, "BLOCK_M=512 BLOCK_N=32", "TMA box"},
        Rejection{"SharedMemory", kSquare, kTiled, "num_stages=7 BLOCK_K=128",
                  "at least 458752 bytes of 232448"},
        Rejection{"SharedMemoryFits", kSquare, kTiled, "num_stages=7", ""},
        Rejection{"AccumulatorFillsTheFile", kSquare, kTiled, "BLOCK_N=256 num_warps=4",
                  "256 registers a thread of 255"},
        Rejection{"AccumulatorOf16Warps", kSquare, kTiled,
                  "BLOCK_M=256 BLOCK_N=256 BLOCK_K=32 num_warps=16", "128 registers a thread of"},
        Rejection{"UnrolledF32", "matmul_f32_4096x4096x4096", kTiled, "num_warps=4",
                  "8192 multiply-adds"},
        Rejection{"ShortF32", "matmul_f32_4096x4096x4096", kTiled, "BLOCK_K=32", ""},
        Rejection{"SplitInCluster", kSquare, kTiled, "num_ctas=2 EPILOGUE_SPLIT=2", "num_ctas"},
        Rejection{"Cluster", kSquare, kTiled, "num_ctas=2", ""},
        Rejection{"ClusterOfDescriptors", kSquare, kDescriptor, "num_ctas=2", "wrong numbers"},
        Rejection{"DescriptorInFourParts", kSquare, kDescriptor, "EPILOGUE_SPLIT=4", ""},
        Rejection{"TwoProgramsInFourParts", kSquare, kPersistentHost, "", ""},
        Rejection{"TwoProgramsStoringWhole", kSquare, kPersistentHost, "EPILOGUE_SPLIT=1",
                  "PROGRAMS_PER_SM=2"},
        Rejection{"Skinny", "matmul_f16fp32_16x8192x8192", kSkinny, "", ""},
        Rejection{"SkinnyIsForTheRowsOfN", "matmul_f16fp32_16x8192x8192", kSkinny, "BLOCK_N=32",
                  "less than 64 rows"},
        Rejection{"ClusterOfDeviceDescriptors", kSquare, kPersistent, "num_ctas=2",
                  "wrong numbers"},
        Rejection{"EvictionOfAsyncLoads", kSquare, kTiled, "EVICT_A=evict_last", "no effect"},
        Rejection{"EvictionOfAsyncLoadsOfB", kSquare, kTiled, "EVICT_B=evict_first", "EVICT_B"},
        Rejection{"EvictionWithoutPipeline", kSquare, kTiled, "EVICT_A=evict_last num_stages=1",
                  ""},
        Rejection{"EvictionOfSingleElements", kOdd, kTiled, "EVICT_B=evict_last", ""},
        Rejection{"EvictionOfTheAlignedOne", kOdd, kTiled, "EVICT_A=evict_last", "EVICT_A"},
        Rejection{"ClusterHoldsOneOperandWhole", kSquare, kTiled,
                  "num_ctas=2 BLOCK_K=128 num_stages=5", "at least 245760 bytes"},
        Rejection{"SpecialisedWithEightWarps", kSquare, kPersistent, "WARP_SPECIALIZE=1",
                  "num_warps=4"},
        Rejection{"SpecialisedAndFlat", kSquare, kPersistent,
                  "WARP_SPECIALIZE=1 num_warps=4 FLATTEN=1", "FLATTEN"},
        Rejection{"SpecialisedAndNarrow", kSquare, kPersistent,
                  "WARP_SPECIALIZE=1 num_warps=4 BLOCK_M=64", "BLOCK_M of 128"},
        Rejection{"Specialised", kSquare, kPersistent, "WARP_SPECIALIZE=1 num_warps=4", ""},
        Rejection{"SpecialisedAndDeep", kSquare, kPersistent,
                  "WARP_SPECIALIZE=1 num_warps=4 num_stages=5", "num_stages of 2 to 4"},
        Rejection{"SpecialisedInSmallSteps", kSquare, kPersistent,
                  "WARP_SPECIALIZE=1 num_warps=4 BLOCK_K=32", "leave parts of C unwritten"},
        Rejection{"SpecialisedAndWide", kSquare, kPersistent,
                  "WARP_SPECIALIZE=1 num_warps=4 BLOCK_N=256", ""},
        Rejection{"SpecialisedAndHuge", kSquare, kPersistent,
                  "WARP_SPECIALIZE=1 num_warps=4 BLOCK_M=256 BLOCK_N=256 num_stages=2",
                  "256 registers a thread of 255"},
        Rejection{"SpecialisedTf32", "matmul_tf32fp32_4096x4096x4096", kPersistent,
                  "WARP_SPECIALIZE=1 num_warps=4 BLOCK_K=32", "both operands"},
        Rejection{"BeyondM", "matmul_f16fp32_100x4096x4096", kTiled, "BLOCK_M=256 num_warps=16",
                  "beyond M=100"},
        Rejection{"CoversM", "matmul_f16fp32_100x4096x4096", kTiled, "GROUP_M=1", ""},
        Rejection{"BeyondK", "matmul_f16fp32_4096x4096x33", kTiled, "BLOCK_K=128", "beyond K=33"},
        Rejection{"GroupBeyondTheRows", "matmul_f16fp32_256x4096x4096", kTiled, "GROUP_M=4",
                  "2 rows of tiles"},
        Rejection{"StagesBeyondTheSteps", "matmul_f16fp32_4096x4096x128", kTiled, "num_stages=4",
                  "2 steps over K"},
        Rejection{"NarrowHalves", kSquare, kTiled, "BLOCK_N=32 EPILOGUE_SPLIT=2", "too narrow"},
        Rejection{"OneTileEach", "matmul_f16fp32_1024x1024x1024", kPersistent, "",
                  "busy only once"},
        Rejection{"TwoProgramsTooLarge", kSquare, kPersistent, "PROGRAMS_PER_SM=2 num_warps=4",
                  "PROGRAMS_PER_SM=2"},
        Rejection{"SplitK", kThin, kSplitK, "", ""},
        Rejection{"SplitKDescriptor", kThin, kSplitKDescriptor, "", ""},
        Rejection{"SplitInOne", kThin, kSplitK, "SPLIT_K=1", "without a split"},
        Rejection{"SplitWhereTilesAreMany", kSquare, kSplitK, "", "1024 tiles fill 132 SMs"},
        Rejection{"SplitWhereTilesAreAlmostMany", "matmul_f16fp32_2304x2048x2048", kSplitK, "",
                  "288 tiles fill"},
        Rejection{"SplitBeyondTheSms", kThin, kSplitK, "BLOCK_N=64 SPLIT_K=8", "more than 8"},
        Rejection{"SplitBeyondTheSteps", "matmul_f16fp32_256x8192x256", kSplitK, "SPLIT_K=4",
                  "4 steps over K"},
        Rejection{"SplitTwoStepsEach", "matmul_f16fp32_256x8192x256", kSplitK, "", ""},
        Rejection{"SplitOfALargeResult", "matmul_f16fp32_2560x6656x8192", kSplitK,
                  "BLOCK_M=256 BLOCK_N=256 SPLIT_K=4", "workspace of 260 MiB"},
        Rejection{"StreamK", kThin, kStreamK, "", ""},
        Rejection{"StreamKBehindThreeWaves", kSquare, kStreamK, "", ""},
        Rejection{"StreamKBehindManyWaves", "matmul_f16fp32_8192x8192x8192", kStreamK, "",
                  "behind 15 whole waves"},
        Rejection{"StreamKOfEvenWaves", "matmul_f16fp32_1408x3072x4096", kStreamK, "",
                  "leave no program idle"},
        Rejection{"StreamKOfFewTiles", "matmul_f16fp32_256x1024x8192", kStreamK, "",
                  "more than 16 parts each"},
        Rejection{"StreamKOfShortTiles", "matmul_f16fp32_256x8192x448", kStreamK, "",
                  "less than 4 steps each"},
        Rejection{"TwoPrograms", kSquare, kPersistent, "PROGRAMS_PER_SM=2 BLOCK_M=64 num_warps=4",
                  ""}),
    [](const auto& test) { return test.param.name; });

TEST(Constraints, MissingLeverIsAReasonNotACrash) {
  EXPECT_THAT(Reason(kSquare, Configured("tiled BLOCK_M=64")), HasSubstr("BLOCK_N is missing"));
  EXPECT_THAT(Reason(kSquare, Configured("wavefront BLOCK_M=64")), HasSubstr("no variant"));
  EXPECT_THAT(Reason(kSquare, Configured(kTiled, "EVICT_A=7")), HasSubstr("EVICT_A is '7'"));
  EXPECT_THAT(Reason(kSquare, Configured(kTiled, "BLOCK_M=big")), HasSubstr("not a number"));
}

TEST(Constraints, OlderDevicesHaveNoTma) {
  MatmulProblem problem = Problem(kSquare);
  problem.device.compute_capability = 80;
  EXPECT_THAT(RejectMatmul(problem, Configured(kDescriptor)).value_or(""), HasSubstr("sm_90"));
  EXPECT_THAT(RejectMatmul(problem, Configured(kTiled, "num_ctas=2")).value_or(""),
              HasSubstr("sm_90"));
  EXPECT_EQ(RejectMatmul(problem, Configured(kTiled)), std::nullopt);
}

}  // namespace
}  // namespace croq::operators
