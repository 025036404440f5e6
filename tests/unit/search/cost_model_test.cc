#include "croq/search/cost_model.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "unit/search/recorded_sweep.h"

namespace croq::search {
namespace {

Config Tiled(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t warps,
             std::int64_t stages) {
  return {"tiled",
          {{"BLOCK_M", m},
           {"BLOCK_N", n},
           {"BLOCK_K", k},
           {"GROUP_M", std::int64_t{8}},
           {"num_warps", warps},
           {"num_stages", stages}}};
}

double Millis(const char* shape, const Config& config, const BuiltResources* built = nullptr) {
  return PredictMillis(ParseShapeKey(shape).value(), RecordedDevice(), config, built);
}

constexpr const char* kLarge = "matmul_f16fp32_4096x4096x4096";

TEST(CostModel, NeverBeatsTheRoofline) {
  // 2 * 4096^3 flops at 989.4 TFLOPS.
  EXPECT_GT(Millis(kLarge, Tiled(128, 256, 64, 8, 4)), 0.1389);
  // 64x8192x8192: 136 MB at 4 TB/s.
  EXPECT_GT(Millis("matmul_f16fp32_64x8192x8192", Tiled(64, 64, 128, 4, 4)), 0.0340);
}

TEST(CostModel, KnowsWhatMakesAGoodTile) {
  EXPECT_LT(Millis(kLarge, Tiled(128, 256, 64, 8, 4)), Millis(kLarge, Tiled(64, 32, 64, 4, 4)));
  EXPECT_LT(Millis(kLarge, Tiled(128, 256, 64, 8, 4)), Millis(kLarge, Tiled(128, 256, 64, 8, 2)));
  EXPECT_LT(Millis(kLarge, Tiled(64, 256, 32, 4, 3)), Millis(kLarge, Tiled(32, 256, 32, 4, 3)));
}

TEST(CostModel, AShortLastWaveCosts) {
  // 132 tiles of 128x128 are one for each SM; 133 leave one SM with two.
  const double full = Millis("matmul_f16fp32_128x16896x4096", Tiled(128, 128, 64, 8, 4));
  const double over = Millis("matmul_f16fp32_128x17024x4096", Tiled(128, 128, 64, 8, 4));
  EXPECT_GT(over, 1.05 * full);
}

TEST(CostModel, SplittingKPaysWhereTilesAreFew) {
  Config split = Tiled(128, 256, 64, 8, 4);
  split.variant = "split_k";
  split.values["SPLIT_K"] = std::int64_t{2};
  // 64 tiles for 132 SMs, and 512.
  EXPECT_LT(Millis("matmul_f16fp32_256x8192x8192", split),
            Millis("matmul_f16fp32_256x8192x8192", Tiled(128, 256, 64, 8, 4)));
  EXPECT_GT(Millis(kLarge, split), Millis(kLarge, Tiled(128, 256, 64, 8, 4)));
  // The parts of a short product cost more than they bring.
  EXPECT_GT(Millis("matmul_f16fp32_256x8192x512", split),
            Millis("matmul_f16fp32_256x8192x512", Tiled(128, 256, 64, 8, 4)));
}

TEST(CostModel, SharingTheLastWavePaysWhereItIsShort) {
  const auto persistent = [](const char* variant) {
    Config config = Tiled(128, 256, 64, 8, 3);
    config.variant = variant;
    config.values["PROGRAMS_PER_SM"] = std::int64_t{1};
    return config;
  };
  // 140 tiles of a long K for 132 SMs; then 132 of them.
  constexpr const char* kOver = "matmul_f16fp32_1280x3584x16384";
  EXPECT_LT(Millis(kOver, persistent("stream_k")), 0.8 * Millis(kOver, persistent("persistent")));
  constexpr const char* kEven = "matmul_f16fp32_1408x3072x16384";
  EXPECT_GE(Millis(kEven, persistent("stream_k")), Millis(kEven, persistent("persistent_host")));
}

TEST(CostModel, DescriptorsMadeInTheKernelCostTheirMaking) {
  const auto persistent = [](const char* variant) {
    Config config = Tiled(128, 256, 64, 8, 3);
    config.variant = variant;
    config.values["FLATTEN"] = std::int64_t{1};
    return config;
  };
  EXPECT_LT(Millis(kLarge, persistent("persistent_host")), Millis(kLarge, persistent("persistent")));
}

TEST(CostModel, ATransposedTileIsTheUprightOneOfTheTransposedProduct) {
  Config skinny = Tiled(32, 128, 64, 4, 4);
  skinny.variant = "skinny";
  Config upright = Tiled(128, 32, 64, 4, 4);
  upright.variant = "descriptor";
  skinny.values["GROUP_M"] = upright.values["GROUP_M"] = std::int64_t{1};
  EXPECT_NEAR(Millis(kLarge, skinny) / Millis(kLarge, upright), 1, 0.02);
}

TEST(CostModel, SpillsCost) {
  const BuiltResources clean{200, 0, 98304};
  const BuiltResources spilled{255, 64, 98304};
  EXPECT_GT(Millis(kLarge, Tiled(128, 128, 64, 8, 3), &spilled),
            1.1 * Millis(kLarge, Tiled(128, 128, 64, 8, 3), &clean));
}

TEST(CostModel, IeeeFloat32RunsOnFmaUnits) {
  const Config config = Tiled(128, 128, 32, 8, 3);
  EXPECT_GT(Millis("matmul_f32_4096x4096x4096", config), 2.05);  // 66.9 TFLOPS
  EXPECT_LT(Millis("matmul_tf32fp32_4096x4096x4096", config), 1.0);
  EXPECT_GT(Millis("matmul_tf32fp32_4096x4096x4096", config), Millis(kLarge, config));
}

TEST(CostModel, ADeviceThatTellsLittleStillGetsAFigure) {
  DeviceFacts device;
  device.sm_count = 108;
  const double millis =
      PredictMillis(ParseShapeKey(kLarge).value(), device, Tiled(128, 128, 32, 4, 3));
  EXPECT_TRUE(std::isfinite(millis));
  EXPECT_GT(millis, 0.1);
}

TEST(CostModel, SaysWhatTheTimeIsMadeOf) {
  const Prediction prediction =
      Predict(ParseShapeKey(kLarge).value(), RecordedDevice(), Tiled(128, 128, 64, 8, 3));
  EXPECT_GE(prediction.total_ms, prediction.sm_ms);
  EXPECT_GE(prediction.total_ms, prediction.memory_ms);
  // 98,304 bytes and 96 registers: two blocks an SM; 1,024 tiles over 264 places.
  EXPECT_EQ(prediction.blocks_per_sm, 2);
  EXPECT_NEAR(prediction.waves, 1024.0 / 264, 1e-9);
}

TEST(TileFacts, ReadsTheVariantFromItsName) {
  const ShapeKey shape = ParseShapeKey(kLarge).value();
  const auto facts = [&](const char* variant) {
    Config config = Tiled(128, 128, 64, 8, 3);
    config.variant = variant;
    return FactsOf(shape, RecordedDevice(), config, nullptr);
  };
  EXPECT_FALSE(facts("tiled").descriptors);
  EXPECT_TRUE(facts("descriptor").descriptors);
  EXPECT_TRUE(facts("persistent").descriptors);
  EXPECT_TRUE(facts("persistent").persistent);
  EXPECT_TRUE(facts("persistent_pointer").persistent);
  EXPECT_FALSE(facts("persistent_pointer").descriptors);
  EXPECT_FALSE(facts("split_k").descriptors);
  EXPECT_TRUE(facts("split_k_descriptor").descriptors);
  EXPECT_FALSE(facts("split_k_descriptor").persistent);
  EXPECT_TRUE(facts("stream_k").descriptors);
  EXPECT_TRUE(facts("stream_k").persistent);
  EXPECT_TRUE(facts("stream_k").stream_k);
}

TEST(TileFacts, ASpecialisedKernelHasThreeWarpGroups) {
  Config config = Tiled(128, 256, 64, 4, 3);
  config.variant = "persistent";
  config.values["WARP_SPECIALIZE"] = std::int64_t{1};
  const TileFacts facts =
      FactsOf(ParseShapeKey(kLarge).value(), RecordedDevice(), config, nullptr);
  EXPECT_EQ(facts.warps, 12);
  EXPECT_EQ(facts.multiplying_warps, 8);
  EXPECT_EQ(facts.spill_bytes, 0);
  EXPECT_EQ(facts.blocks_per_sm, 1);
}

TEST(TileFacts, AccumulatorsThatDoNotFitSpill) {
  EXPECT_GT(EstimateRegisters(Tiled(256, 256, 32, 4, 2)), 255);
  const TileFacts facts =
      FactsOf(ParseShapeKey(kLarge).value(), RecordedDevice(), Tiled(256, 256, 32, 4, 2), nullptr);
  EXPECT_GT(facts.spill_bytes, 0);
}

TEST(CostModelProperty, IsAlwaysAPositiveNumberAndScalesWithK) {
  EXPECT_TRUE(rc::check([] {
    const auto dimension = [] { return *rc::gen::inRange<std::int64_t>(1, 20000); };
    const auto power = [](int low, int high) {
      return std::int64_t{1} << *rc::gen::inRange(low, high);
    };
    ShapeKey shape;
    shape.op = *rc::gen::element(Operator::kMatmul, Operator::kMatmulNt);
    shape.dtype =
        *rc::gen::elementOf(std::vector<DType>(std::begin(kAllDTypes), std::end(kAllDTypes)));
    shape.m = dimension();
    shape.n = dimension();
    shape.k = dimension();
    Config config = Tiled(power(4, 9), power(5, 9), power(5, 9), power(2, 5),
                          *rc::gen::inRange<std::int64_t>(1, 8));
    config.variant = *rc::gen::element("tiled", "descriptor", "persistent", "persistent_pointer");
    config.values["FLATTEN"] = *rc::gen::inRange<std::int64_t>(0, 2);
    const double millis = PredictMillis(shape, RecordedDevice(), config);
    RC_ASSERT(std::isfinite(millis));
    RC_ASSERT(millis > 0.001);
    const double most_flops_per_ms = croq::FactsOf(shape.dtype).scaled ? 2000e9 : 1000e9;
    RC_ASSERT(millis >= shape.Flops() / most_flops_per_ms);
    ShapeKey deeper = shape;
    deeper.k *= 4;
    RC_ASSERT(PredictMillis(deeper, RecordedDevice(), config) >= millis);
  }));
}

}  // namespace
}  // namespace croq::search
