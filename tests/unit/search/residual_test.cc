#include "croq/search/residual.h"

#include <gtest/gtest.h>

namespace croq::search {
namespace {

Config Tile(const std::string& variant, std::int64_t block, std::int64_t stages) {
  return {variant, {{"BLOCK_M", block}, {"BLOCK_N", std::int64_t{128}}, {"num_stages", stages},
                    {"num_warps", std::int64_t{8}}}};
}

/// The model is half wrong on a variant and a fifth on three stages.
double Error(const Config& config) {
  return (config.variant == "persistent" ? 0.5 : 1.0) * (config.Int("num_stages") == 3 ? 1.2 : 1.0);
}

TEST(Residual, LearnsWhatTheModelGetsWrong) {
  Residual residual;
  EXPECT_EQ(residual.Factor(Tile("tiled", 64, 3)), 1);
  for (const char* variant : {"tiled", "persistent"}) {
    for (std::int64_t block : {16, 32, 64, 128, 256}) {
      for (std::int64_t stages : {2, 3, 4, 5}) {
        if (block == 128 && stages == 3) continue;  // never seen
        const Config config = Tile(variant, block, stages);
        residual.Add(config, 2 * Error(config), 2);
      }
    }
  }
  for (const char* variant : {"tiled", "persistent"}) {
    const Config unseen = Tile(variant, 128, 3);
    EXPECT_NEAR(residual.Factor(unseen) / Error(unseen), 1, 0.15) << variant;
  }
}

TEST(Residual, OneWildTimeIsNoLaw) {
  Residual residual;
  for (int i = 0; i < 7; ++i) residual.Add(Tile("tiled", 64, 2), 1, 1);
  residual.Add(Tile("tiled", 128, 3), 1000, 1);
  // It counts as a factor of 3, of which each of its effects takes a quarter at most.
  EXPECT_LT(residual.Factor(Tile("tiled", 128, 4)), 1.75);
  EXPECT_GT(residual.Factor(Tile("tiled", 128, 4)), 0.8);
}

TEST(Residual, StaysSmallInALongSession) {
  Residual residual;
  for (std::int64_t i = 0; i < 20'000; ++i)
    residual.Add(Tile("tiled", 16 << (i % 5), 2 + i % 4), 1, 1);
  EXPECT_LE(residual.observations(), 4000U);
}

}  // namespace
}  // namespace croq::search
