#include "croq/search/hybrid_strategy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "croq/search/random.h"
#include "croq/search/space_walk.h"
#include "unit/search/simulated_device.h"

namespace croq::search {
namespace {

StrategyOptions Options(SearchSpace space, std::uint64_t seed) {
  StrategyOptions options{.space = std::move(space), .seed = seed};
  return options;
}

TEST(HybridStrategy, ProposesTheShortlistFirst) {
  StrategyOptions options = Options(SimulatedSpace(), 1);
  const Config known = ConfigAt(options.space.variants[1], 77);
  Config elsewhere = known;
  elsewhere.values["BLOCK_M"] = std::int64_t{96};
  options.shortlist = {elsewhere, known};
  options.predict = Predicted;
  HybridStrategy strategy(std::move(options));
  EXPECT_EQ(strategy.Propose(), known);
}

TEST(HybridStrategy, StartsWithTheModelsHeadSpreadOut) {
  StrategyOptions options = Options(SimulatedSpace(), 1);
  options.predict = Predicted;
  HybridStrategy strategy(std::move(options), {.model_start = 12});
  std::vector<Config> head;
  for (int i = 0; i < 12; ++i) head.push_back(*strategy.Propose());
  std::set<std::string> tiles;
  for (const Config& config : head) {
    tiles.insert(config.variant + " " + std::to_string(config.Int("BLOCK_M")) + " " +
                 std::to_string(config.Int("BLOCK_N")));
  }
  EXPECT_GE(tiles.size(), 5U);
  std::vector<double> all;
  for (const VariantSpace& variant : SimulatedSpace().variants) {
    for (std::uint64_t index = 0; index < SizeOf(variant); ++index) {
      const Config config = ConfigAt(variant, index);
      if (!SimulatedSpace().reject(config))
        all.push_back(Predicted(config));
    }
  }
  EXPECT_LE(Predicted(head.front()), 1.005 * *std::min_element(all.begin(), all.end()));
}

TEST(HybridStrategy, SearchesAroundTheFastestWithoutAModel) {
  StrategyOptions options = Options(SimulatedSpace(), 2);
  HybridStrategy strategy(std::move(options), {.random_start = 1,
                                               .share_random = 0,
                                               .share_model = 0,
                                               .share_cross = 0,
                                               .share_two_levers = 0});
  for (int i = 0; i < 24; ++i) (void)strategy.Propose();
  const Config good{"descriptor",
                    {{"BLOCK_M", std::int64_t{128}},
                     {"BLOCK_N", std::int64_t{128}},
                     {"BLOCK_K", std::int64_t{64}},
                     {"GROUP_M", std::int64_t{8}},
                     {"num_warps", std::int64_t{8}},
                     {"num_stages", std::int64_t{3}}}};
  strategy.Observe(good, Outcome::kCorrect, 1.0);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(Distance(good, *strategy.Propose()), 1);
}

TEST(HybridStrategy, AWrongResultIsNoParent) {
  StrategyOptions options = Options(SimulatedSpace(), 2);
  HybridStrategy strategy(
      std::move(options),
      {.share_random = 0, .share_model = 0, .share_cross = 0, .share_two_levers = 0});
  for (int i = 0; i < 24; ++i) (void)strategy.Propose();
  const Config good = ConfigAt(SimulatedSpace().variants[0], 700);
  const Config wrong = ConfigAt(SimulatedSpace().variants[0], 0);
  strategy.Observe(wrong, Outcome::kCorrect, 0.1);
  strategy.Observe(wrong, Outcome::kCorrectness, 0.1);
  strategy.Observe(good, Outcome::kCorrect, 1.0);
  EXPECT_EQ(Distance(good, *strategy.Propose()), 1);
}

double BestPossible(double error) {
  double best = 1e9;
  const SearchSpace space = SimulatedSpace();
  for (const VariantSpace& variant : space.variants) {
    for (std::uint64_t index = 0; index < SizeOf(variant); ++index) {
      const Config config = ConfigAt(variant, index);
      if (!space.reject(config))
        best = std::min(best, SimulatedTime(config, error));
    }
  }
  return best;
}

/// Mean over seeds of best found over best possible, with noisy observations and eight under way.
double MeanRegret(const char* name, int trials, double error) {
  const double possible = BestPossible(error);
  double sum = 0;
  constexpr int kSeeds = 3;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Random noise(seed);
    double best = 1e9;
    Trace(name, seed, 8, trials, [&](const Config& config) {
      const double time = SimulatedTime(config, error);
      best = std::min(best, time);
      return time * (1 + 0.02 * (noise.Unit() - 0.5));
    });
    sum += best / possible;
  }
  return sum / kSeeds;
}

TEST(HybridStrategySimulation, ReachesGoodConfigurationsOnADeviceThatTheModelGetsWrong) {
  const double hybrid = MeanRegret("hybrid", 300, 0.12);
  const double random = MeanRegret("random", 300, 0.12);
  RecordProperty("hybrid", std::to_string(hybrid));
  RecordProperty("random", std::to_string(random));
  EXPECT_LE(hybrid, 1.03);
  EXPECT_LT(hybrid, random);
}

}  // namespace
}  // namespace croq::search
