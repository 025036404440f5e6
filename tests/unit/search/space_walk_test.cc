#include "croq/search/space_walk.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace croq::search {
namespace {

using Values = std::vector<LeverValue>;

VariantSpace Tiled() {
  return {"tiled",
          {{"BLOCK_M", Values{std::int64_t{64}, std::int64_t{128}, std::int64_t{256}}},
           {"EVICT_A", Values{"none", "evict_last"}},
           {"num_warps", Values{std::int64_t{4}, std::int64_t{8}}}}};
}

Config Make(std::int64_t block_m, const char* evict, std::int64_t warps) {
  return {"tiled", {{"BLOCK_M", block_m}, {"EVICT_A", evict}, {"num_warps", warps}}};
}

TEST(SpaceWalk, EveryIndexIsAnotherConfiguration) {
  const VariantSpace variant = Tiled();
  const SearchSpace space{{variant}, nullptr};
  EXPECT_EQ(SizeOf(variant), 12U);
  std::set<std::string> texts;
  for (std::uint64_t index = 0; index < SizeOf(variant); ++index) {
    const Config config = ConfigAt(variant, index);
    EXPECT_TRUE(Contains(space, config)) << config.Text();
    texts.insert(config.Text());
  }
  EXPECT_EQ(texts.size(), 12U);
  EXPECT_EQ(ConfigAt(variant, 0), Make(64, "none", 4));
  EXPECT_EQ(ConfigAt(variant, 1), Make(64, "none", 8));
}

TEST(SpaceWalk, ContainsAsksForTheLeversToTheLetter) {
  const SearchSpace space{{Tiled()}, nullptr};
  Config config = Make(64, "none", 4);
  EXPECT_TRUE(Contains(space, config));
  config.values["BLOCK_M"] = std::int64_t{96};
  EXPECT_FALSE(Contains(space, config));
  config = Make(64, "none", 4);
  config.values.erase("num_warps");
  EXPECT_FALSE(Contains(space, config));
  config = Make(64, "none", 4);
  config.values["num_ctas"] = std::int64_t{1};
  EXPECT_FALSE(Contains(space, config));
  config = Make(64, "none", 4);
  config.variant = "persistent";
  EXPECT_FALSE(Contains(space, config));
}

TEST(SpaceWalk, NeighboursDifferInOneLeverByOnePlace) {
  const std::vector<Config> neighbours = Neighbours(Tiled(), Make(64, "none", 8));
  const std::set<std::string> texts = [&] {
    std::set<std::string> all;
    for (const Config& config : neighbours) all.insert(config.Text());
    return all;
  }();
  const std::set<std::string> expected{
      Make(128, "none", 8).Text(), Make(64, "evict_last", 8).Text(), Make(64, "none", 4).Text()};
  EXPECT_EQ(texts, expected);
}

TEST(SpaceWalk, AlternativesDifferInOneLeverAtAnyValue) {
  const std::vector<Config> alternatives = Alternatives(Tiled(), Make(64, "none", 8));
  std::set<std::string> texts;
  for (const Config& config : alternatives) texts.insert(config.Text());
  const std::set<std::string> expected{Make(128, "none", 8).Text(), Make(256, "none", 8).Text(),
                                       Make(64, "evict_last", 8).Text(),
                                       Make(64, "none", 4).Text()};
  EXPECT_EQ(texts, expected);
}

TEST(SpaceWalk, AStepChangesAsManyLeversAsAsked) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const Config from = RandomConfig(Tiled(), random);
    EXPECT_EQ(Distance(from, Step(Tiled(), from, 1, random)), 1);
    EXPECT_EQ(Distance(from, Step(Tiled(), from, 2, random)), 2);
    EXPECT_EQ(Distance(from, Step(Tiled(), from, 9, random)), 3);
  }
}

TEST(SpaceWalk, ACrossingTakesEachLeverFromAParent) {
  Random random(2);
  const Config one = Make(64, "none", 4);
  const Config other = Make(256, "evict_last", 8);
  std::set<std::string> children;
  for (int i = 0; i < 200; ++i) {
    const Config child = Cross(Tiled(), one, other, random);
    EXPECT_NE(child.Int("BLOCK_M"), 128);
    children.insert(child.Text());
  }
  EXPECT_EQ(children.size(), 8U);
}

TEST(SpaceWalk, ACrossingIntoAnotherVariantFillsWhatNoParentHas) {
  VariantSpace persistent = Tiled();
  persistent.variant = "persistent";
  persistent.levers.push_back({"FLATTEN", Values{std::int64_t{0}, std::int64_t{1}}});
  const SearchSpace space{{Tiled(), persistent}, nullptr};
  Random random(3);
  const Config one = Make(64, "none", 4);
  const Config child = Cross(persistent, one, one, random);
  EXPECT_TRUE(Contains(space, child)) << child.Text();
  EXPECT_EQ(child.Int("BLOCK_M"), 64);
}

TEST(SpaceWalk, DistanceCountsVariantAndLevers) {
  const Config one = Make(64, "none", 4);
  Config other = one;
  EXPECT_EQ(Distance(one, other), 0);
  other.values["num_warps"] = std::int64_t{8};
  EXPECT_EQ(Distance(one, other), 1);
  other.variant = "persistent";
  other.values["FLATTEN"] = std::int64_t{1};
  EXPECT_EQ(Distance(one, other), 3);
  EXPECT_EQ(Distance(other, one), 3);
}

}  // namespace
}  // namespace croq::search
