#include "croq/search/elite.h"

#include <gtest/gtest.h>

namespace croq::search {
namespace {

Config Tile(std::int64_t block_m) {
  return {"tiled", {{"BLOCK_M", block_m}}};
}

TEST(Elite, GivesTheFastestFirst) {
  Elite elite;
  EXPECT_TRUE(elite.empty());
  elite.Enter(Tile(64), 3);
  elite.Enter(Tile(128), 1);
  elite.Enter(Tile(256), 2);
  const auto best = elite.Best(2);
  ASSERT_EQ(best.size(), 2U);
  EXPECT_EQ(best[0].config, Tile(128));
  EXPECT_EQ(best[1].config, Tile(256));
}

TEST(Elite, ASecondTimeReplacesTheFirst) {
  Elite elite;
  elite.Enter(Tile(64), 1);
  elite.Enter(Tile(128), 2);
  elite.Enter(Tile(64), 5);
  EXPECT_EQ(elite.Best(9).size(), 2U);
  EXPECT_EQ(elite.Best(1).front().config, Tile(128));
}

TEST(Elite, RemovesWhatTurnedOutWrong) {
  Elite elite;
  elite.Enter(Tile(64), 1);
  elite.Remove(Tile(64));
  elite.Remove(Tile(128));
  EXPECT_TRUE(elite.empty());
}

}  // namespace
}  // namespace croq::search
