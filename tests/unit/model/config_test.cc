#include "croq/model/config.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <nlohmann/json.hpp>

#include "croq/model/config_json.h"
#include "croq/model/search_space.h"

namespace croq {
namespace {

Config SampleConfig() {
  return {"tiled",
          {{"num_warps", std::int64_t{8}}, {"BLOCK_M", std::int64_t{128}}, {"EVICT_A", "none"}}};
}

TEST(Config, TextSortsTheLevers) {
  EXPECT_EQ(SampleConfig().Text(), "tiled BLOCK_M=128 EVICT_A=none num_warps=8");
  EXPECT_EQ((Config{"tiled", {}}).Text(), "tiled");
}

TEST(Config, ReadsItsTextBack) {
  EXPECT_EQ(ParseConfig(SampleConfig().Text()).value(), SampleConfig());
  EXPECT_EQ(ParseConfig("tiled").value(), (Config{"tiled", {}}));
  EXPECT_EQ(ParseConfig("x A=-3 B=7a")->Int("A"), -3);
  EXPECT_EQ(ParseConfig("x A=-3 B=7a")->WordOr("B", ""), "7a");
}

TEST(Config, SaysWhatIsNoConfiguration) {
  EXPECT_EQ(ParseConfig("").error().message, "a configuration starts with its variant");
  EXPECT_EQ(ParseConfig("tiled BLOCK_M").error().message,
            "'BLOCK_M' is not LEVER=VALUE in a configuration");
  EXPECT_EQ(ParseConfig("tiled =3").error().message, "'=3' is not LEVER=VALUE in a configuration");
}

TEST(Config, GivesALeverOrWhatStandsForItsAbsence) {
  EXPECT_EQ(SampleConfig().Int("BLOCK_M"), 128);
  EXPECT_EQ(SampleConfig().IntOr("BLOCK_M", 1), 128);
  EXPECT_EQ(SampleConfig().IntOr("SPLIT_K", 1), 1);
  EXPECT_EQ(SampleConfig().WordOr("EVICT_A", "x"), "none");
  EXPECT_EQ(SampleConfig().WordOr("EVICT_B", "x"), "x");
}

TEST(ConfigDeathTest, AMissingLeverIsAProgrammersError) {
  EXPECT_DEATH(SampleConfig().Int("SPLIT_K"), "internal check failed");
}

TEST(Config, JsonKeepsNumbersNumbers) {
  const nlohmann::json json = SampleConfig();
  EXPECT_EQ(json, nlohmann::json::parse(R"({"variant": "tiled", "BLOCK_M": 128,
                                            "EVICT_A": "none", "num_warps": 8})"));
}

TEST(ConfigProperty, TextIsReadBack) {
  EXPECT_TRUE(rc::check([] {
    const auto name = rc::gen::nonEmpty(rc::gen::container<std::string>(
        rc::gen::oneOf(rc::gen::inRange('a', 'z'), rc::gen::just('_'))));
    Config config;
    config.variant = *name;
    for (const std::string& lever : *rc::gen::container<std::vector<std::string>>(name)) {
      if (*rc::gen::arbitrary<bool>()) {
        config.values[lever] = *rc::gen::arbitrary<std::int64_t>();
      } else {
        config.values[lever] = *name;
      }
    }
    RC_ASSERT(ParseConfig(config.Text()).value() == config);
  }));
}

TEST(SearchSpace, SizeIsTheSumOfTheVariantsProducts) {
  const Lever three{"A", {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}}};
  const Lever two{"B", {"x", "y"}};
  EXPECT_EQ((SearchSpace{{{"p", {three, two}}, {"q", {two}}}, nullptr}).Size(), 8);
  EXPECT_EQ(SearchSpace{}.Size(), 0);
}

}  // namespace
}  // namespace croq
