#include "croq/profile/kernel_profile.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "unit/profile/helpers.h"

namespace croq::profile {
namespace {

double Value(const KernelProfile& evidence, const char* name) {
  const Figure* figure = evidence.Find(name);
  return figure == nullptr ? -1 : figure->value;
}

class BaseFigures : public ::testing::Test {
 protected:
  KernelProfile Add(KernelProfile evidence = Of("compute_bound")) {
    AddBaseFigures(evidence, {shape_, device_, config_, build_, time_ms_, floor_ms_});
    return evidence;
  }

  ShapeKey shape_ = Shape();
  DeviceFacts device_ = H200();
  Config config_ = Tiled();
  BuildFacts build_{168, 0, 98304, 100, "f"};
  double time_ms_ = 0;
  double floor_ms_ = 0;
};

TEST_F(BaseFigures, CountTilesAndTheLastTurnThatIsNotFull) {
  const KernelProfile evidence = Add();
  EXPECT_EQ(Value(evidence, "tiles"), 1024);
  EXPECT_EQ(Value(evidence, "tile_rows"), 32);
  EXPECT_EQ(Value(evidence, "k_steps"), 64);
  EXPECT_EQ(Value(evidence, "accumulators"), 64);
  EXPECT_NEAR(Value(evidence, "tiles_per_sm"), 7.76, 0.01);
  EXPECT_NEAR(Value(evidence, "tail_pct"), 100 * (1 - 1024 / 132.0 / 8), 1e-6);
  EXPECT_EQ(Value(evidence, "idle_sm_pct"), 0);
}

TEST_F(BaseFigures, SplitKMakesMoreTilesOfShorterLoops) {
  config_.values["SPLIT_K"] = Number(4);
  const KernelProfile evidence = Add();
  EXPECT_EQ(Value(evidence, "tiles"), 4096);
  EXPECT_EQ(Value(evidence, "k_steps"), 16);
}

TEST_F(BaseFigures, SayHowManyStagesStillFit) {
  // A stage of 128x64 and 64x128 halves is 32 KiB; 232448 - 98304 bytes hold 4 more.
  EXPECT_EQ(Value(Add(), "stages_left"), 4);
  build_.shared_bytes = 220000;
  EXPECT_EQ(Value(Add(), "stages_left"), 0);
}

TEST_F(BaseFigures, CountersWinOverWhatIsWorkedOut) {
  KernelProfile counters = Of("compute_bound");
  counters.Set("tail_pct", 3, "launch__waves_per_multiprocessor");
  counters.Set("registers", 200, "launch__registers_per_thread");
  const KernelProfile evidence = Add(counters);
  EXPECT_EQ(Value(evidence, "tail_pct"), 3);
  EXPECT_EQ(Value(evidence, "registers"), 200);
}

TEST_F(BaseFigures, ComplementsAndExcessComeFromCounters) {
  KernelProfile counters = Of("memory_bound");
  counters.Set("tensor_pct", 60, "t");
  counters.Set("l2_hit_pct", 80, "h");
  counters.Set("dram_bytes", 2 * shape_.CompulsoryBytes(), "d");
  const KernelProfile evidence = Add(counters);
  EXPECT_EQ(Value(evidence, "tensor_idle_pct"), 40);
  EXPECT_EQ(Value(evidence, "l2_miss_pct"), 20);
  EXPECT_EQ(Value(evidence, "excess_bytes_pct"), 50);
  EXPECT_EQ(evidence.Find("excess_bytes_pct")->metric, "d");
}

TEST_F(BaseFigures, WhatIsNotKnownIsAbsent) {
  build_ = {};
  const KernelProfile evidence = Add();
  for (const char* name : {"registers", "stages_left", "tensor_idle_pct", "roofline_pct"}) {
    EXPECT_EQ(evidence.Find(name), nullptr) << name;
  }
}

TEST_F(BaseFigures, StaticVerdictFollowsTheRoofline) {
  const auto verdict = [&] {
    return StaticProfile({shape_, device_, config_, build_, time_ms_, floor_ms_}, true);
  };
  floor_ms_ = 0.14;
  time_ms_ = 0.2;
  EXPECT_EQ(verdict().bottleneck, "compute_bound");
  EXPECT_TRUE(verdict().is_static);
  EXPECT_TRUE(verdict().predicted);
  time_ms_ = 0.5;
  EXPECT_EQ(verdict().bottleneck, "latency_bound");
  EXPECT_EQ(verdict().runner_up, "compute_bound");
}

TEST_F(BaseFigures, StaticVerdictSeesIdleSmsAndMemory) {
  shape_ = Shape("matmul_f16fp32_256x1024x8192");
  EXPECT_EQ(StaticProfile({shape_, device_, config_, build_, 1, 1}, false).bottleneck,
            "launch_bound");
  shape_ = Shape("matmul_f16fp32_128x32768x128");
  const double memory_ms = shape_.CompulsoryBytes() / device_.memory_gb_per_s / 1e6;
  const KernelProfile evidence =
      StaticProfile({shape_, device_, config_, build_, memory_ms * 1.2, memory_ms}, false);
  EXPECT_EQ(evidence.bottleneck, "memory_bound");
  EXPECT_EQ(evidence.level, "dram");
}

TEST(KernelProfile, JsonComesBack) {
  KernelProfile evidence = Of("memory_bound");
  evidence.level = "l2";
  evidence.runner_up = "mixed";
  evidence.is_static = true;
  evidence.Set("mem_pct", 91.5, "gpu__compute_memory_throughput");
  const KernelProfile back = Must(KernelProfileFromJson(ToJson(evidence).dump()));
  EXPECT_EQ(ToJson(back), ToJson(evidence));
  EXPECT_EQ(back.figures, evidence.figures);
  EXPECT_FALSE(KernelProfileFromJson("[]"));
  EXPECT_FALSE(KernelProfileFromJson("{"));
}

TEST(KernelProfile, NumbersThatAreNoneAreNotKept) {
  KernelProfile evidence;
  evidence.Set("mem_pct", std::numeric_limits<double>::quiet_NaN(), "m");
  EXPECT_EQ(evidence.Find("mem_pct"), nullptr);
}

TEST(KernelProfile, FiguresAreShownWithUnitAndMetric) {
  EXPECT_EQ(FormatFigure("stall_wait_pct", {12.345, "w"}), "stall_wait 12.3% (w)");
  EXPECT_EQ(FormatFigure("registers", {168, "cubin"}), "registers 168 (cubin)");
  EXPECT_EQ(FormatFigure("duration_us", {733.216, "d"}), "duration_us 733.22 us (d)");
}

}  // namespace
}  // namespace croq::profile
