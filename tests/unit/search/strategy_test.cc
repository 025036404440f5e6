#include "croq/search/strategy.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string_view>

#include "croq/search/plain_start.h"
#include "croq/search/space_walk.h"
#include "unit/search/simulated_device.h"

namespace croq::search {
namespace {

SearchSpace SmallSpace() {
  SearchSpace space{
      {{"tiled", {{"BLOCK_M", Numbers({64, 128, 256})}, {"num_warps", Numbers({4, 8, 16})}}}},
      nullptr};
  space.reject = [](const Config& config) -> std::optional<std::string> {
    if (config.Int("BLOCK_M") == 64 && config.Int("num_warps") == 16)
      return "too many warps";
    return std::nullopt;
  };
  return space;
}

StrategyOptions Options(SearchSpace space, std::uint64_t seed) {
  StrategyOptions options{.space = std::move(space), .seed = seed};
  return options;
}

TEST(PlainStart, HoldsTheModelsFastestOfTheFirstVariantAlone) {
  SearchSpace space = SmallSpace();
  space.variants.push_back({"clever", {{"BLOCK_M", Numbers({512})}}});
  const Predictor larger_is_faster = [](const Config& config) {
    return 1.0 / static_cast<double>(config.Int("BLOCK_M"));
  };
  const std::vector<Config> start = PlainStart(space, larger_is_faster, 1, 3);
  ASSERT_EQ(start.size(), 3U);
  EXPECT_EQ(start.front().Int("BLOCK_M"), 256);
  for (const Config& config : start) EXPECT_EQ(config.variant, "tiled");
  const std::vector<Config> all = PlainStart(space, larger_is_faster, 1, 99);
  EXPECT_EQ(all.size(), 8U);  // the space rejects the ninth
  EXPECT_TRUE(PlainStart({}, larger_is_faster, 1, 3).empty());
}

TEST(Strategy, UnknownNameIsNone) {
  EXPECT_EQ(MakeStrategy("annealing", Options(SmallSpace(), 1)), nullptr);
}

class EveryStrategy : public testing::TestWithParam<std::string_view> {};

INSTANTIATE_TEST_SUITE_P(All, EveryStrategy, testing::ValuesIn(kStrategies),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_P(EveryStrategy, KnowsItsName) {
  EXPECT_EQ(MakeStrategy(GetParam(), Options(SmallSpace(), 1))->Name(), GetParam());
}

TEST_P(EveryStrategy, ProposesEachAllowedConfigurationOnceAndThenNothing) {
  std::map<std::string, int> rejected;
  StrategyOptions options = Options(SmallSpace(), 7);
  options.on_rejected = [&](const Config& config, const std::string& reason) {
    EXPECT_EQ(reason, "too many warps");
    ++rejected[config.Text()];
  };
  const auto strategy = MakeStrategy(GetParam(), std::move(options));
  std::set<std::string> proposed;
  while (const std::optional<Config> config = strategy->Propose()) {
    EXPECT_TRUE(proposed.insert(config->Text()).second) << config->Text();
    strategy->Observe(*config, Outcome::kCorrect, 1.0);
  }
  EXPECT_EQ(proposed.size(), 8U);
  ASSERT_EQ(rejected.size(), 1U);
  EXPECT_EQ(rejected.begin()->second, 1);
  EXPECT_FALSE(strategy->Propose());
}

TEST_P(EveryStrategy, DoesNotProposeWhatWasObservedBefore) {
  const auto strategy = MakeStrategy(GetParam(), Options(SmallSpace(), 3));
  const Config tried{"tiled", {{"BLOCK_M", std::int64_t{128}}, {"num_warps", std::int64_t{8}}}};
  const Config failed{"tiled", {{"BLOCK_M", std::int64_t{64}}, {"num_warps", std::int64_t{4}}}};
  strategy->Observe(tried, Outcome::kCorrect, 1.0);
  strategy->Observe(failed, Outcome::kCompile, 0);
  int proposed = 0;
  while (const std::optional<Config> config = strategy->Propose()) {
    EXPECT_NE(*config, tried);
    EXPECT_NE(*config, failed);
    ++proposed;
  }
  EXPECT_EQ(proposed, 6);
}

TEST_P(EveryStrategy, AnEmptySpaceHasNothing) {
  EXPECT_FALSE(MakeStrategy(GetParam(), Options({}, 1))->Propose());
  SearchSpace closed = SmallSpace();
  closed.reject = [](const Config&) { return std::optional<std::string>("closed"); };
  EXPECT_FALSE(MakeStrategy(GetParam(), Options(std::move(closed), 1))->Propose());
}

TEST_P(EveryStrategy, IsTheSameForOneSeed) {
  const auto time = [](const Config& config) { return SimulatedTime(config, 0.1); };
  const auto first = Trace(GetParam(), 5, 4, 120, time);
  EXPECT_EQ(first, Trace(GetParam(), 5, 4, 120, time));
  if (std::string_view(GetParam()) != "exhaustive") {
    EXPECT_NE(first, Trace(GetParam(), 6, 4, 120, time));
  }
}

TEST_P(EveryStrategy, StaysInsideTheSpaceWithManyOutstandingAndFailures) {
  const SearchSpace space = SimulatedSpace();
  const auto time = [](const Config& config) {
    return config.Int("num_stages") == 5 ? 0 : SimulatedTime(config, 0.2);
  };
  // One seed after the other rather than drawn ones: under a sanitizer a search takes half a
  // second.
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto trace = Trace(GetParam(), seed, 4 * (seed - 1), 60, time);
    EXPECT_EQ(trace.size(), 60U);
    EXPECT_EQ(std::set<std::string>(trace.begin(), trace.end()).size(), trace.size());
    for (const std::string& text : trace) {
      const Config config = ParseConfig(text).value();
      EXPECT_TRUE(Contains(space, config)) << text;
      EXPECT_FALSE(space.reject(config)) << text;
    }
  }
}

TEST(Evolution, FindsBetterThanRandomDrawsDo) {
  const auto time = [](const Config& config) { return SimulatedTime(config, 0.05); };
  double sums[2] = {};
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const char* names[] = {"evolutionary", "random"};
    for (int which = 0; which < 2; ++which) {
      double best = 1e9;
      for (const std::string& text : Trace(names[which], seed, 8, 200, time))
        best = std::min(best, SimulatedTime(ParseConfig(text).value(), 0));
      sums[which] += best;
    }
  }
  EXPECT_LT(sums[0], sums[1]);
}

TEST(RandomStrategy, DrawsEvenly) {
  std::map<std::string, int> first;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    ++first[MakeStrategy("random", Options(SmallSpace(), seed))->Propose()->Text()];
  }
  ASSERT_EQ(first.size(), 8U);
  // 500 expected each, standard deviation 21.
  for (const auto& [text, count] : first) EXPECT_NEAR(count, 500, 100) << text;
}

}  // namespace
}  // namespace croq::search
