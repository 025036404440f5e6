#include "croq/search/idea_configs.h"

#include <gmock/gmock.h>

#include <set>

namespace croq::search {
namespace {

using ::testing::ElementsAre;

LeverValue Number(std::int64_t value) { return value; }

Lever Numbers(std::string name, std::initializer_list<std::int64_t> values) {
  Lever lever{std::move(name), {}};
  for (const std::int64_t value : values) lever.values.emplace_back(value);
  return lever;
}

SearchSpace Space() {
  SearchSpace space;
  space.variants = {{"tiled", {Numbers("K", {32, 64, 128}), Numbers("S", {2, 3, 4, 5}),
                               Numbers("W", {4, 8})}},
                    {"persistent", {Numbers("F", {0, 1}), Numbers("K", {64, 128}),
                                    Numbers("S", {2, 3, 4})}}};
  return space;
}

const Config kBase{"tiled", {{"K", Number(64)}, {"S", Number(3)}, {"W", Number(4)}}};

std::vector<std::string> Texts(const std::vector<Config>& configs) {
  std::vector<std::string> texts;
  for (const Config& config : configs) texts.push_back(config.Text());
  return texts;
}

TEST(IdeaConfigs, MoveALeverInItsDirectionOnly) {
  EXPECT_THAT(Texts(IdeaConfigs(Space(), kBase, {{"S"}, "up", {}, {}}, {}, {}, 99)),
              ElementsAre("tiled K=64 S=4 W=4", "tiled K=64 S=5 W=4"));
  EXPECT_THAT(Texts(IdeaConfigs(Space(), kBase, {{"S"}, "down", {}, {}}, {}, {}, 99)),
              ElementsAre("tiled K=64 S=2 W=4"));
  EXPECT_EQ(IdeaConfigs(Space(), kBase, {{"S"}, "any", {}, {}}, {}, {}, 99).size(), 3U);
}

TEST(IdeaConfigs, OthersMoveAlongByOnePlaceAndNeverAlone) {
  const auto configs = IdeaConfigs(Space(), kBase, {{"S"}, "up", {"K"}, {}}, {}, {}, 99);
  EXPECT_EQ(configs.size(), 6U);
  for (const Config& config : configs) {
    EXPECT_GT(config.Int("S"), 3);
    EXPECT_EQ(config.Int("W"), 4);
  }
}

TEST(IdeaConfigs, ComeNearestFirstOrByTheModel) {
  const IdeaMove move{{"S"}, "up", {"K"}, {}};
  EXPECT_EQ(IdeaConfigs(Space(), kBase, move, {}, {}, 1).front().Int("K"), 64);
  const Predictor deep = [](const Config& config) {
    return 1.0 / static_cast<double>(config.Int("K") * config.Int("S"));
  };
  EXPECT_EQ(IdeaConfigs(Space(), kBase, move, {}, deep, 1).front().Text(), "tiled K=128 S=5 W=4");
}

TEST(IdeaConfigs, TheSpaceRejectsNoneOfThem) {
  SearchSpace space = Space();
  space.reject = [](const Config& config) -> std::optional<std::string> {
    return config.Int("S") == 4 ? std::optional<std::string>("no") : std::nullopt;
  };
  EXPECT_THAT(Texts(IdeaConfigs(space, kBase, {{"S"}, "up", {}, {}}, {}, {}, 99)),
              ElementsAre("tiled K=64 S=5 W=4"));
}

TEST(IdeaConfigs, AChangeOfVariantTakesOverWhatBothHave) {
  const IdeaMove move{{}, "structure", {}, {"persistent"}};
  const auto configs = IdeaConfigs(Space(), kBase, move, {}, {}, 99);
  ASSERT_FALSE(configs.empty());
  // Nearest: it differs by the variant, and by the levers that only one of them has.
  EXPECT_EQ(configs.front().Text(), "persistent F=0 K=64 S=3");
  for (const Config& config : configs) EXPECT_EQ(config.variant, "persistent");
  const std::vector<std::string> texts = Texts(configs);
  EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), texts.size());
}

TEST(IdeaConfigs, AChangeOfVariantGoesOnFromItsKnownKernels) {
  SearchSpace space = Space();
  space.variants[1].levers[1].values = {Number(16), Number(32), Number(64), Number(128)};
  space.variants[1].levers.push_back(Numbers("G", {1, 2, 4, 8, 16}));
  const Config seed{"persistent", {{"F", Number(1)}, {"G", Number(16)}, {"K", Number(16)},
                                   {"S", Number(4)}}};
  const IdeaMove move{{}, "structure", {}, {"persistent"}};
  const auto holds = [&](const std::vector<Config>& seeds) {
    const auto configs = IdeaConfigs(space, kBase, move, seeds, {}, 999);
    return std::find(configs.begin(), configs.end(), seed) != configs.end();
  };
  EXPECT_FALSE(holds({}));
  EXPECT_TRUE(holds({seed}));
}

TEST(IdeaConfigs, AnUnknownVariantOrBaseGivesNone) {
  EXPECT_TRUE(IdeaConfigs(Space(), kBase, {{}, "structure", {}, {"split"}}, {}, {}, 99).empty());
  EXPECT_TRUE(IdeaConfigs(Space(), {"other", {}}, {{"S"}, "up", {}, {}}, {}, {}, 99).empty());
  EXPECT_TRUE(IdeaConfigs(Space(), kBase, {{"X"}, "up", {}, {}}, {}, {}, 99).empty());
}

}  // namespace
}  // namespace croq::search
