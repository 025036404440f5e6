#include "croq/source/pin_config.h"

#include <gmock/gmock.h>

#include <string>

namespace croq::source {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

PinConfig Only(std::string_view text) {
  const auto configs = ParsePinConfigs(text);
  EXPECT_TRUE(configs.has_value()) << (configs ? "" : configs.error().message);
  return configs && configs->size() == 1 ? configs->begin()->second : PinConfig{};
}

std::string Refusal(std::string_view text) {
  const auto configs = ParsePinConfigs(text);
  return configs ? "taken" : configs.error().message;
}

TEST(PinConfig, TellsConstantsFromOptions) {
  const PinConfig config = Only("BLOCK_M=128, num_warps=8,BLOCK_N=64,num_stages=2");
  EXPECT_THAT(config.constants, ElementsAre(Pair("BLOCK_M", "128"), Pair("BLOCK_N", "64")));
  EXPECT_EQ(LaunchKeywords(config, false), "BLOCK_M=128, BLOCK_N=64, num_warps=8, num_stages=2");
}

TEST(PinConfig, HasTheDefaultsOfTritonConfig) {
  EXPECT_EQ(LaunchKeywords(Only("B=1"), false), "B=1, num_warps=4, num_stages=3");
  EXPECT_EQ(LaunchKeywords(Only("B=1"), true), "B=1, num_warps=4, num_ctas=1, num_stages=3");
  EXPECT_EQ(LaunchKeywords(Only("B=1,num_ctas=2,maxnreg=64"), false),
            "B=1, num_warps=4, num_ctas=2, num_stages=3, maxnreg=64");
}

TEST(PinConfig, ReadsPythonsLiterals) {
  const PinConfig config =
      Only("A=True,B=None,C=-3,D=1.5e-3,E=0x10,F=\"x,y\",G='z',H=relu,I=tl.float16");
  EXPECT_THAT(config.constants,
              ElementsAre(Pair("A", "True"), Pair("B", "None"), Pair("C", "-3"), Pair("D", "1.5e-3"),
                          Pair("E", "0x10"), Pair("F", "\"x,y\""), Pair("G", "'z'"),
                          Pair("H", "\"relu\""), Pair("I", "tl.float16")));
}

TEST(PinConfig, RefusesWhatItDoesNotUnderstand) {
  EXPECT_THAT(Refusal(""), HasSubstr("empty"));
  EXPECT_THAT(Refusal("BLOCK"), HasSubstr("'BLOCK' is no NAME=VALUE"));
  EXPECT_THAT(Refusal("3B=1"), HasSubstr("is no NAME=VALUE"));
  EXPECT_THAT(Refusal("B=f(x)"), HasSubstr("'B=f(x)'"));
  EXPECT_THAT(Refusal("B=012"), HasSubstr("'B=012'"));
  EXPECT_THAT(Refusal("B="), HasSubstr("'B='"));
  EXPECT_THAT(Refusal("B=\"a\"; import os; \"\""), HasSubstr("'B="));
  EXPECT_THAT(Refusal("B=1,B=2"), HasSubstr("'B' is given twice"));
  for (const std::string odd : {"num_warps=3", "num_warps=64", "num_warps=True", "num_stages=0",
                                "num_ctas=32", "num_ctas=-2", "maxnreg=0", "num_warps=4.0"})
    EXPECT_THAT(Refusal("B=1," + odd), HasSubstr(odd + ": it must be ")) << odd;
  EXPECT_THAT(Refusal("B=1,ir_override=x.ttgir"), HasSubstr("can't be pinned"));
}

TEST(PinConfig, LeavesOutOtherBackendsOptionsAndSaysSo) {
  const PinConfig config = Only("B=128,waves_per_eu=2,num_consumer_groups=2");
  EXPECT_EQ(LaunchKeywords(config, false), "B=128, num_warps=4, num_stages=3");
  EXPECT_THAT(config.dropped, ElementsAre(HasSubstr("waves_per_eu=2 is left out"),
                                          HasSubstr("num_consumer_groups=2 is left out")));
}

TEST(PinConfig, KeepsKernelsApart) {
  const auto configs = ParsePinConfigs("a.B=1,Class.k.B=2,b.num_warps=8").value();
  EXPECT_EQ(configs.at("a").Value("B"), "1");
  EXPECT_EQ(configs.at("Class.k").Value("B"), "2");
  EXPECT_THAT(configs.at("b").constants, IsEmpty());
}

TEST(PinConfig, TakesASessionsLevers) {
  Config config;
  config.variant = "tiled";
  config.values = {{"BLOCK_M", std::int64_t{64}}, {"EVICT", "evict_last"},
                   {"num_warps", std::int64_t{8}}};
  EXPECT_EQ(LaunchKeywords(PinConfigsOf(config).value().at(""), false),
            "BLOCK_M=64, EVICT=\"evict_last\", num_warps=8, num_stages=3");
}

}  // namespace
}  // namespace croq::source
