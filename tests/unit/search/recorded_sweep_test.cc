#include "unit/search/recorded_sweep.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "croq/search/cost_model.h"
#include "croq/search/strategy.h"

namespace croq::search {
namespace {

/// What the model says of one recorded shape, with the compiler's figures or without.
struct Verdict {
  double correlation = 0;
  double top16_regret = 0;    ///< best recorded among the model's first 16 over best recorded
  std::size_t best_rank = 0;  ///< its place among the recorded, from 1
};

Verdict Judge(const RecordedShape& recorded, bool built) {
  std::vector<double> predicted;
  std::vector<double> measured;
  for (const RecordedTime& time : recorded.times) {
    predicted.push_back(PredictMillis(recorded.shape, RecordedDevice(), time.config,
                                      built ? &time.built : nullptr));
    measured.push_back(time.time_ms);
  }
  std::vector<std::size_t> order(predicted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return predicted[a] < predicted[b]; });
  // The recordings lie fastest first, so an index is a rank.
  const std::size_t best = *std::min_element(order.begin(), order.begin() + 16);
  return {RankCorrelation(predicted, measured), measured[best] / recorded.best_ms(), best + 1};
}

class RecordedSweep : public testing::Test {
 protected:
  void SetUp() override {
    auto sweep = ReadRecordedSweep();
    if (!sweep)
      GTEST_SKIP() << "no recorded H200 sweep beside this checkout";
    sweep_ = std::move(*sweep);
  }

  std::vector<RecordedShape> sweep_;
};

TEST_F(RecordedSweep, HoldsSevenShapes) {
  ASSERT_EQ(sweep_.size(), 7U);
  for (const RecordedShape& recorded : sweep_) EXPECT_GE(recorded.times.size(), 40U);
}

TEST_F(RecordedSweep, TheModelRanksWithTheCompilersFigures) {
  for (const RecordedShape& recorded : sweep_) {
    const Verdict verdict = Judge(recorded, true);
    RecordProperty(recorded.shape.text, std::to_string(verdict.correlation));
    // At 1024^3 41 rows are left and half of each time is the launch.
    EXPECT_GE(verdict.correlation, recorded.shape.m == 1024 ? 0.65 : 0.85) << recorded.shape.text;
    EXPECT_LE(verdict.top16_regret, 1.05) << recorded.shape.text;
  }
}

TEST_F(RecordedSweep, TheModelRanksBeforeAnythingIsBuilt) {
  for (const RecordedShape& recorded : sweep_) {
    const Verdict verdict = Judge(recorded, false);
    EXPECT_GE(verdict.correlation, recorded.shape.m == 1024 ? 0.65 : 0.85) << recorded.shape.text;
    EXPECT_LE(verdict.top16_regret, 1.05) << recorded.shape.text;
    fmt::print("{}: correlation {:.3f}, best of first 16 is rank {}, regret {:.3f}\n",
               recorded.shape.text, verdict.correlation, verdict.best_rank, verdict.top16_regret);
  }
}

TEST_F(RecordedSweep, PredictedTimesAreOfTheRightSize) {
  for (const RecordedShape& recorded : sweep_) {
    const RecordedTime& best = recorded.times.front();
    const double ratio =
        PredictMillis(recorded.shape, RecordedDevice(), best.config, &best.built) / best.time_ms;
    EXPECT_GT(ratio, 0.6) << recorded.shape.text;
    EXPECT_LT(ratio, 1.6) << recorded.shape.text;
  }
}

TEST_F(RecordedSweep, SharedMemoryIsEstimatedToTheBarriers) {
  std::size_t close = 0;
  std::size_t all = 0;
  for (const RecordedShape& recorded : sweep_) {
    for (const RecordedTime& time : recorded.times) {
      const auto difference =
          time.built.shared_bytes - EstimateSharedBytes(recorded.shape, time.config);
      EXPECT_GE(difference, 0) << time.config.Text();
      if (difference <= 100)
        ++close;
      ++all;
    }
  }
  EXPECT_GE(static_cast<double>(close), 0.95 * static_cast<double>(all));
}

/// Best time over the best recorded after `trials` proposals from the recordings alone.
double RegretAfter(const RecordedShape& recorded, std::string_view strategy, int trials,
                   std::uint64_t seed) {
  std::map<std::string, double> times;
  for (const RecordedTime& time : recorded.times) times[time.config.Text()] = time.time_ms;
  StrategyOptions options{.space = SpaceOf(recorded), .seed = seed};
  options.predict = [&](const Config& config) {
    return PredictMillis(recorded.shape, RecordedDevice(), config);
  };
  const auto search = MakeStrategy(strategy, std::move(options));
  double best = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const std::optional<Config> config = search->Propose();
    if (!config)
      break;
    const double time = times.at(config->Text());
    best = best == 0 ? time : std::min(best, time);
    search->Observe(*config, Outcome::kCorrect, time);
  }
  return best / recorded.best_ms();
}

TEST_F(RecordedSweep, TheDefaultStrategyFindsTheGoodOnesEarly) {
  for (const RecordedShape& recorded : sweep_) {
    double hybrid = 0;
    double random = 0;
    constexpr int kSeeds = 2;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      hybrid += RegretAfter(recorded, "hybrid", 32, seed) / kSeeds;
      random += RegretAfter(recorded, "random", 32, seed) / kSeeds;
    }
    fmt::print("{}: after 32 trials hybrid {:.3f}, random {:.3f} of the best recorded\n",
               recorded.shape.text, hybrid, random);
    EXPECT_LE(hybrid, 1.06) << recorded.shape.text;
    EXPECT_LE(hybrid, random + 0.02) << recorded.shape.text;
  }
}

}  // namespace
}  // namespace croq::search
