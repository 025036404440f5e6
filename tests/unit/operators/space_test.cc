#include "croq/operators/matmul_space.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "unit/operators/helpers.h"

namespace croq::operators {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

SearchSpace Space(const std::string& key, int compute_capability = 90) {
  MatmulProblem problem = Problem(key);
  problem.device.compute_capability = compute_capability;
  return MatmulSpace(problem, Triton());
}

std::vector<std::string> Variants(const SearchSpace& space) {
  std::vector<std::string> names;
  for (const VariantSpace& variant : space.variants) names.push_back(variant.variant);
  return names;
}

/// A lever's values as text; empty where the variant does not have it.
std::vector<std::string> Values(const SearchSpace& space, const std::string& variant,
                                const std::string& lever) {
  std::vector<std::string> values;
  for (const VariantSpace& one : space.variants) {
    if (one.variant != variant) continue;
    for (const Lever& other : one.levers) {
      if (other.name != lever) continue;
      for (const LeverValue& value : other.values) values.push_back(ToText(value));
    }
  }
  return values;
}

TEST(Space, DescriptorsOnlyWhereTmaCanReadTheRows) {
  EXPECT_THAT(Variants(Space(kSquare)),
              ElementsAre("tiled", "descriptor", "persistent", "persistent_host", "persistent_pointer",
                          "split_k", "split_k_descriptor", "stream_k"));
  EXPECT_THAT(Variants(Space("matmul_f16fp32_1000x2001x3000")),
              ElementsAre("tiled", "persistent_pointer", "split_k"));
  EXPECT_THAT(Variants(Space(kSquare, 80)),
              ElementsAre("tiled", "persistent_pointer", "split_k"));
}

TEST(Space, BlocksStopAtTheDimension) {
  const SearchSpace space = Space("matmul_f16fp32_48x100x20");
  EXPECT_THAT(Values(space, "tiled", "BLOCK_M"), ElementsAre("32", "64"));
  EXPECT_THAT(Values(space, "tiled", "BLOCK_N"), ElementsAre("32", "64", "128"));
  EXPECT_THAT(Values(space, "tiled", "BLOCK_K"), ElementsAre("32"));
}

TEST(Space, SkinnyShapesGetSixteenRows) {
  EXPECT_THAT(Values(Space("matmul_f16fp32_1x4096x4096"), "tiled", "BLOCK_M"), ElementsAre("16"));
  EXPECT_THAT(Values(Space("matmul_f16fp32_32x4096x4096"), "tiled", "BLOCK_M"),
              ElementsAre("16", "32"));
  EXPECT_THAT(Values(Space(kSquare), "tiled", "BLOCK_M"), ElementsAre("32", "64", "128", "256"));
}

TEST(Space, TransposedTilesAreForFewRowsOnTensorCores) {
  EXPECT_THAT(Variants(Space("matmul_nt_bf16fp32_128x8192x8192")), Contains("skinny"));
  EXPECT_THAT(Variants(Space("matmul_nt_bf16fp32_129x8192x8192")), Not(Contains("skinny")));
  EXPECT_THAT(Variants(Space("matmul_nt_f32_16x8192x8192")), Not(Contains("skinny")));
}

TEST(Space, LeversBelongToTheirVariants) {
  const SearchSpace space = Space(kSquare);
  EXPECT_THAT(Values(space, "persistent_host", "EPILOGUE_SPLIT"), ElementsAre("1", "2", "4"));
  EXPECT_THAT(Values(space, "persistent_host", "WARP_SPECIALIZE"), IsEmpty());
  EXPECT_THAT(Values(space, "descriptor", "num_ctas"), IsEmpty());
  EXPECT_THAT(Values(space, "tiled", "EPILOGUE_SPLIT"), ElementsAre("1", "2"));
  EXPECT_THAT(Values(space, "descriptor", "EVICT_A"), IsEmpty());
  EXPECT_THAT(Values(space, "tiled", "FLATTEN"), IsEmpty());
  EXPECT_THAT(Values(space, "persistent", "FLATTEN"), ElementsAre("0", "1"));
  EXPECT_THAT(Values(space, "persistent", "WARP_SPECIALIZE"), ElementsAre("0", "1"));
  EXPECT_THAT(Values(space, "persistent_pointer", "WARP_SPECIALIZE"), IsEmpty());
  EXPECT_THAT(Values(space, "tiled", "SPLIT_K"), IsEmpty());
  EXPECT_THAT(Values(space, "split_k", "SPLIT_K"), ElementsAre("2", "4", "8", "16"));
  EXPECT_THAT(Values(space, "split_k", "EVICT_A"), IsEmpty());
  EXPECT_THAT(Values(space, "stream_k", "PROGRAMS_PER_SM"), ElementsAre("1", "2", "4"));
  EXPECT_THAT(Values(space, "stream_k", "FLATTEN"), IsEmpty());
}

TEST(Space, EvictionIsForLoadsOfSingleElements) {
  EXPECT_THAT(Values(Space(kSquare), "tiled", "EVICT_A"), IsEmpty());
  const SearchSpace odd_k = Space("matmul_f16fp32_1000x2000x3001");
  EXPECT_THAT(Values(odd_k, "tiled", "EVICT_A"), ElementsAre("none", "evict_first", "evict_last"));
  EXPECT_THAT(Values(odd_k, "tiled", "EVICT_B"), IsEmpty());
  EXPECT_THAT(Values(Space("matmul_nt_bf16fp32_1000x2000x3001"), "persistent_pointer", "EVICT_B"),
              ElementsAre("none", "evict_first", "evict_last"));
  EXPECT_THAT(Values(Space("matmul_f32_1000x2000x3001"), "tiled", "EVICT_A"), IsEmpty());
}

TEST(Space, ClustersAreOfTwoAndNeedHopper) {
  EXPECT_THAT(Values(Space(kSquare), "tiled", "num_ctas"), ElementsAre("1", "2"));
  EXPECT_THAT(Values(Space(kSquare, 80), "tiled", "num_ctas"), ElementsAre("1"));
  EXPECT_THAT(Values(Space(kSquare), "persistent", "num_ctas"), IsEmpty());
}

TEST(Space, EveryVariantHasSomethingToTry) {
  for (const char* key : {kSquare, "matmul_f16fp32_1x1x1", "matmul_nt_f32_64x8192x8192",
                          "matmul_nt_tf32fp32_16x16x1000000"}) {
    const SearchSpace space = Space(key);
    EXPECT_GT(space.Size(), 0) << key;
    for (const VariantSpace& variant : space.variants) {
      for (const Lever& lever : variant.levers) {
        EXPECT_FALSE(lever.values.empty()) << key << " " << variant.variant << " " << lever.name;
      }
    }
  }
}

}  // namespace
}  // namespace croq::operators
