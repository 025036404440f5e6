#include <gmock/gmock.h>

#include "unit/profile/exports.h"

namespace croq::profile {
namespace {

using ::testing::HasSubstr;

/// A kernel of many waves that takes 100 us, for the sides to differ alone.
RuleInputs Sides(double sm, double memory) {
  RuleInputs inputs;
  inputs.sm = sm;
  inputs.memory = memory;
  inputs.grid = 1320;
  inputs.sms = 132;
  inputs.waves = 10;
  inputs.active_share = 0.98;
  inputs.duration_us = 100;
  return inputs;
}

std::string Name(const RuleInputs& inputs) {
  const RuleOutcome outcome = ApplyRule(Rule(), inputs);
  const std::string cause = outcome.cause.empty() ? "" : " " + outcome.cause;
  return std::string(NameOf(outcome.bottleneck)) + cause + ", " +
         std::string(NameOf(outcome.confidence));
}

TEST(RuleThresholds, AreNvidiasWhereNvidiaHasThem) {
  EXPECT_EQ(Rule().high, 80);
  EXPECT_EQ(Rule().low, 60);
  EXPECT_EQ(Rule().balanced, 10);
  EXPECT_EQ(Rule().full_wave, 1);
  for (const contract::Threshold& threshold : Rule().thresholds) {
    EXPECT_FALSE(threshold.source.empty()) << threshold.name;
  }
}

TEST(RuleOfSides, TakesTheLarger) {
  EXPECT_EQ(Name(Sides(90, 50)), "compute_bound, high");
  EXPECT_EQ(Name(Sides(50, 90)), "memory_bound, high");
  EXPECT_EQ(Name(Sides(75, 61)), "compute_bound, medium");
  EXPECT_EQ(Name(Sides(61, 75)), "memory_bound, medium");
}

TEST(RuleOfSides, CountsBoundariesAsReached) {
  EXPECT_EQ(Name(Sides(80, 72)), "compute_bound, medium");
  EXPECT_EQ(Name(Sides(80, 70)), "compute_bound, high");
  EXPECT_EQ(Name(Sides(79.99, 72)), "mixed, medium");
  EXPECT_EQ(Name(Sides(60, 50)), "compute_bound, medium");  // |d| = 10 is not mixed
  EXPECT_EQ(Name(Sides(60, 50.01)), "mixed, medium");
  EXPECT_EQ(Name(Sides(59.99, 59.99)), "latency_bound, medium");
}

TEST(RuleOfSides, MixesTwoSidesAtTheirLimitOnlyWhereTheyTouch) {
  EXPECT_EQ(Name(Sides(90, 86)), "mixed, medium");
  EXPECT_EQ(Name(Sides(90, 85)), "compute_bound, medium");
  EXPECT_EQ(Name(Sides(82, 79)), "compute_bound, medium");
}

TEST(RuleBelowBoth, KnowsTheLaunch) {
  RuleInputs in = Sides(20, 30);
  EXPECT_EQ(Name(in), "latency_bound, medium");
  in.wall_us = 201;
  EXPECT_EQ(Name(in), "launch_bound host, medium");
  in.wall_us = 200;
  EXPECT_EQ(Name(in), "latency_bound, medium");
  in.duration_us = 9.9;
  EXPECT_EQ(Name(in), "launch_bound short, medium");
  in.duration_us = 1.9;
  EXPECT_EQ(Name(in), "launch_bound short, low");
  in.grid = 131;
  in.waves = 0.99;
  EXPECT_EQ(Name(in), "launch_bound grid, high");
}

TEST(RuleBelowBoth, LetsAPersistentGridRunBelowOneWave) {
  RuleInputs in = Sides(20, 30);
  in.grid = 132;
  in.waves = 0.5;  // two blocks fit, one was launched on each SM
  in.active_share = 0.97;
  EXPECT_EQ(Name(in), "latency_bound, medium");
  in.active_share = 0.74;
  EXPECT_EQ(Name(in), "launch_bound grid, medium");
  in.active_share.reset();
  EXPECT_EQ(Name(in), "latency_bound, low");  // can't tell
}

TEST(RuleBelowBoth, NeedsNoWavesForAGridSmallerThanTheDevice) {
  RuleInputs in = Sides(20, 30);
  in.waves.reset();
  EXPECT_EQ(Name(in), "latency_bound, low");
  in.grid = 4;
  EXPECT_EQ(Name(in), "launch_bound grid, high");
}

/// Figures as an export would give them.
LaunchMetrics Figures(double sm, double memory, double dram, double l1) {
  LaunchMetrics metrics;
  const auto set = [&](const char* name, double value) {
    metrics.metrics[name] = {value, "", std::string("id of ") + name, "", ""};
  };
  set("sm_pct", sm);
  set("mem_pct", memory);
  set("dram_pct", dram);
  set("l1_pct", l1);
  set("duration_ns", 100'000);
  set("grid_size", 1320);
  set("sm_count", 132);
  set("waves", 10);
  set("sm_active_pct", 98);
  return metrics;
}

std::string LevelOf(double memory, double dram, double l1) {
  const auto verdict = Classify(Rule(), Figures(20, memory, dram, l1), std::nullopt);
  return verdict && verdict->level ? std::string(NameOf(*verdict->level)) : "none";
}

TEST(LevelOfMemory, IsTheNearest) {
  EXPECT_EQ(LevelOf(90, 85, 90), "dram");
  EXPECT_EQ(LevelOf(90, 84.9, 85), "l1");
  EXPECT_EQ(LevelOf(90, 84.9, 84.9), "l2");
}

TEST(LevelOfMemory, IsUnknownWithItsReason) {
  LaunchMetrics metrics = Figures(20, 90, 10, 10);
  metrics.metrics["l1_pct"] = {std::nullopt, "%", "", "", "gone"};
  auto verdict = Classify(Rule(), metrics, std::nullopt);
  ASSERT_TRUE(verdict.has_value());
  EXPECT_FALSE(verdict->level.has_value());
  EXPECT_THAT(verdict->no_level, HasSubstr("gone"));
  metrics.metrics["dram_pct"].value = 89;
  EXPECT_EQ(Classify(Rule(), metrics, std::nullopt)->level, Level::kDram);
}

TEST(RunnerUpOf, IsNamedNearABoundary) {
  const auto near = Classify(Rule(), Figures(78.5, 70, 60, 60), std::nullopt);
  ASSERT_TRUE(near.has_value());
  EXPECT_EQ(near->bottleneck, Bottleneck::kMixed);
  EXPECT_EQ(near->confidence, Confidence::kLow);
  ASSERT_TRUE(near->runner_up.has_value());
  EXPECT_EQ(near->runner_up->bottleneck, Bottleneck::kCompute);
  EXPECT_THAT(near->runner_up->because, HasSubstr("would turn it"));
  EXPECT_FALSE(Classify(Rule(), Figures(90, 50, 20, 20), std::nullopt)->runner_up.has_value());
}

TEST(RunnerUpOf, IsNamedAtExactlyTwoPoints) {
  // From 60.5 on the compute side stands alone at 58.5 + 2 = 60.5 >= 60.
  EXPECT_TRUE(Classify(Rule(), Figures(58, 30, 20, 20), std::nullopt)->runner_up.has_value());
  EXPECT_FALSE(Classify(Rule(), Figures(57.9, 30, 20, 20), std::nullopt)->runner_up.has_value());
}

TEST(RunnerUpOf, LooksAtDurationAndWallTimeToo) {
  LaunchMetrics metrics = Figures(20, 30, 20, 20);
  metrics.metrics["duration_ns"].value = 10'200;
  const auto verdict = Classify(Rule(), metrics, std::nullopt);
  EXPECT_EQ(verdict->bottleneck, Bottleneck::kLatency);
  ASSERT_TRUE(verdict->runner_up.has_value());
  EXPECT_EQ(verdict->runner_up->bottleneck, Bottleneck::kLaunch);
}

TEST(Classify, RefusesBrokenThroughputs) {
  for (const double bad : {-1.0, 105.1}) {
    EXPECT_THAT(MessageOf(Classify(Rule(), Figures(bad, 50, 20, 20), std::nullopt)),
                HasSubstr("must lie from 0 to 105"));
    EXPECT_FALSE(Classify(Rule(), Figures(50, bad, 20, 20), std::nullopt).has_value());
  }
  EXPECT_TRUE(Classify(Rule(), Figures(104.9, 50, 20, 20), std::nullopt).has_value());
}

TEST(Classify, NeedsDurationGridAndSmsOnlyBelowBoth) {
  for (const char* name : {"duration_ns", "grid_size", "sm_count"}) {
    LaunchMetrics low = Figures(20, 30, 20, 20);
    low.metrics[name] = {std::nullopt, "", "", "", "gone"};
    EXPECT_THAT(MessageOf(Classify(Rule(), low, std::nullopt)), HasSubstr("gone")) << name;
    LaunchMetrics high = Figures(20, 70, 70, 20);
    high.metrics[name] = {std::nullopt, "", "", "", "gone"};
    EXPECT_TRUE(Classify(Rule(), high, std::nullopt).has_value()) << name;
  }
}

TEST(Classify, TakesTheWallTimeInMilliseconds) {
  const auto verdict = Classify(Rule(), Figures(20, 30, 20, 20), 0.5);
  EXPECT_EQ(verdict->bottleneck, Bottleneck::kLaunch);
  EXPECT_EQ(verdict->cause, "host");
}

TEST(Nvidia, AgreesOrNot) {
  const RuleRow row{"SpeedOfLight",
                    "SOLBottleneck",
                    "OPT",
                    "This workload exhibits low compute throughput and memory bandwidth utilization"
                    " relative to the peak performance of this device. Achieved compute throughput"
                    " and/or memory bandwidth below 60.0% of peak typically indicate latency "
                    "issues.",
                    "",
                    ""};
  const auto nvidia = FindNvidiaVerdict(std::span(&row, 1));
  ASSERT_TRUE(nvidia.has_value());
  EXPECT_EQ(nvidia->verdict, "Latency Issue");
  EXPECT_EQ(Agrees(*nvidia, Bottleneck::kLatency), true);
  EXPECT_EQ(Agrees(*nvidia, Bottleneck::kMemory), false);
  EXPECT_EQ(Agrees({"", "", "", "new words"}, Bottleneck::kMemory), std::nullopt);
  EXPECT_EQ(FindNvidiaVerdict({}), std::nullopt);
}

}  // namespace
}  // namespace croq::profile
