#include "croq/measure/paired.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace croq::measure {
namespace {

using Values = std::vector<double>;

/// Two kernels timed in pairs: 1 ms and 1/ratio ms, a clock that wanders by 15% and moves both,
/// noise on each launch, and now and then a launch that something else held up.
Duel SimulateDuel(double ratio, int pairs, std::mt19937_64& random) {
  std::normal_distribution<double> noise(0, 0.01);
  std::normal_distribution<double> walk(0, 0.01);
  std::uniform_real_distribution<double> uniform(0, 1);
  Duel duel;
  double clock = 0;
  for (int i = 0; i < pairs; ++i) {
    clock = std::clamp(clock + walk(random), -0.15, 0.15);
    const auto launch = [&](double base) {
      const double held_up = uniform(random) < 0.02 ? 1.5 : 1.0;
      return base * std::exp(clock + noise(random)) * held_up;
    };
    duel.reference_ms.push_back(launch(1.0));
    duel.candidate_ms.push_back(launch(1.0 / ratio));
  }
  return duel;
}

TEST(PairedRatio, HasNothingToSayWithoutPairs) {
  const RatioInterval interval = PairedRatio(Values{}, Values{});
  EXPECT_EQ(interval.pairs, 0);
  EXPECT_EQ(interval.ratio, 0);
  EXPECT_FALSE(IsFaster(interval));
  EXPECT_FALSE(IsSlower(interval));
  EXPECT_TRUE(std::isinf(RelativeHalfWidth(interval)));
}

TEST(PairedRatio, IsReferenceOverCandidate) {
  const RatioInterval interval = PairedRatio(Values(10, 2.0), Values(10, 3.0));
  EXPECT_NEAR(interval.ratio, 1.5, 1e-12);
  EXPECT_NEAR(interval.low, 1.5, 1e-12);
  EXPECT_NEAR(interval.high, 1.5, 1e-12);
  EXPECT_TRUE(IsFaster(interval));
  EXPECT_TRUE(IsSlower(PairedRatio(Values(10, 3.0), Values(10, 2.0))));
}

TEST(PairedRatio, SevenPairsCannotCarryNinetyNinePercentButEightCan) {
  const RatioInterval seven = PairedRatio(Values(7, 1.0), Values(7, 2.0));
  EXPECT_FALSE(IsFaster(seven));
  EXPECT_TRUE(std::isinf(seven.high));
  EXPECT_TRUE(IsFaster(PairedRatio(Values(8, 1.0), Values(8, 2.0))));
}

/// Walsh averages of {1..10} in units of 0.01, sorted: 1, 1.5, 2, 2, ... For n = 10, P(W < 4) =
/// 5/1024 <= 0.005 < P(W < 5) = 7/1024, so the 99% interval starts at the fourth lowest of the 55.
TEST(PairedRatio, AgreesWithTheExactSignedRankInterval) {
  Values candidate(10, 1.0);
  Values reference;
  for (int i = 1; i <= 10; ++i) reference.push_back(std::exp(0.01 * i));
  const RatioInterval interval = PairedRatio(candidate, reference);
  EXPECT_NEAR(std::log(interval.ratio), 0.055, 1e-12);
  EXPECT_NEAR(std::log(interval.low), 0.020, 1e-12);
  EXPECT_NEAR(std::log(interval.high), 0.090, 1e-12);
}

TEST(PairedRatio, LeavesOutPairsThatAreNoTimes) {
  Values candidate(12, 1.0);
  Values reference(12, 2.0);
  candidate[3] = 0;
  reference[5] = std::numeric_limits<double>::quiet_NaN();
  reference[7] = -1;
  reference.push_back(77.0);
  const RatioInterval interval = PairedRatio(candidate, reference);
  EXPECT_EQ(interval.pairs, 9);
  EXPECT_NEAR(interval.ratio, 2.0, 1e-12);
}

TEST(PairedRatio, OneHeldUpLaunchHardlyMovesIt) {
  std::mt19937_64 random(3);
  Duel duel = SimulateDuel(1.03, 40, random);
  const double before = PairedRatio(duel).ratio;
  duel.candidate_ms[11] *= 50;
  EXPECT_NEAR(PairedRatio(duel).ratio, before, 0.003);
}

TEST(PairedRatio, TheApproximationMeetsTheExactInterval) {
  std::mt19937_64 random(5);
  const Duel duel = SimulateDuel(1.0, 61, random);
  Duel shorter = duel;
  shorter.candidate_ms.pop_back();
  const RatioInterval approximate = PairedRatio(duel);
  const RatioInterval exact = PairedRatio(shorter);
  EXPECT_NEAR(approximate.low, exact.low, 0.001);
  EXPECT_NEAR(approximate.high, exact.high, 0.001);
}

/// Share of simulated duels whose interval holds the true ratio; 99% is asked for. The bound is
/// four standard errors below that (sqrt(0.99 * 0.01 / 2000) = 0.0022).
TEST(PairedRatioCoverage, HoldsUnderSharedDriftAndHeldUpLaunches) {
  std::mt19937_64 random(20260131);
  for (const int pairs : {10, 30, 100}) {
    int held = 0;
    constexpr int kDuels = 2000;
    for (int i = 0; i < kDuels; ++i) {
      const RatioInterval interval = PairedRatio(SimulateDuel(1.02, pairs, random));
      if (interval.low <= 1.02 && 1.02 <= interval.high)
        ++held;
    }
    EXPECT_GE(static_cast<double>(held) / kDuels, 0.981) << pairs << " pairs";
  }
}

TEST(PairedRatioCoverage, StoppingOnWidthDoesNotMakeEqualKernelsFaster) {
  std::mt19937_64 random(7);
  const DuelStop stop{.min_pairs = 20, .max_pairs = 60, .relative_half_width = 0.006};
  int faster = 0;
  constexpr int kDuels = 1000;
  for (int i = 0; i < kDuels; ++i) {
    const Duel duel = SimulateDuel(1.0, stop.max_pairs, random);
    RatioInterval interval;
    for (int pairs = stop.min_pairs; !HasEnoughPairs(interval, stop); ++pairs) {
      const auto count = static_cast<std::size_t>(pairs);
      interval = PairedRatio(std::span(duel.candidate_ms).first(count),
                             std::span(duel.reference_ms).first(count));
    }
    if (IsFaster(interval))
      ++faster;
  }
  // 0.5% is what one tail of 99% allows; 1.5% is four standard errors above.
  EXPECT_LE(faster, 15);
}

TEST(PairedRatioCoverage, FindsATwoPercentGain) {
  std::mt19937_64 random(11);
  int faster = 0;
  for (int i = 0; i < 200; ++i) {
    if (IsFaster(PairedRatio(SimulateDuel(1.02, 50, random))))
      ++faster;
  }
  EXPECT_GE(faster, 190);
}

TEST(PairedRatioProperty, SwappingTheSidesInvertsTheRatio) {
  EXPECT_TRUE(rc::check([] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    std::mt19937_64 random(seed);
    const Duel duel = SimulateDuel(1.1, *rc::gen::inRange(8, 90), random);
    const RatioInterval one = PairedRatio(duel.candidate_ms, duel.reference_ms);
    const RatioInterval other = PairedRatio(duel.reference_ms, duel.candidate_ms);
    RC_ASSERT(std::abs(one.ratio * other.ratio - 1) < 1e-9);
    RC_ASSERT(std::abs(one.low * other.high - 1) < 1e-9);
    RC_ASSERT(one.low <= one.ratio && one.ratio <= one.high);
  }));
}

TEST(PairedRatioProperty, AClockThatMovesBothChangesNothing) {
  EXPECT_TRUE(rc::check([] {
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    Duel duel = SimulateDuel(1.05, 30, random);
    const RatioInterval before = PairedRatio(duel);
    for (std::size_t i = 0; i < duel.candidate_ms.size(); ++i) {
      const double clock = 1 + 0.01 * static_cast<double>(i);
      duel.candidate_ms[i] *= clock;
      duel.reference_ms[i] *= clock;
    }
    const RatioInterval after = PairedRatio(duel);
    RC_ASSERT(std::abs(after.low - before.low) < 1e-9);
    RC_ASSERT(std::abs(after.high - before.high) < 1e-9);
  }));
}

TEST(DuelStop, AsksForTheFewestAndStopsAtTheMost) {
  const DuelStop stop{.min_pairs = 20, .max_pairs = 200, .relative_half_width = 0.01};
  EXPECT_FALSE(HasEnoughPairs({1.0, 0.999, 1.001, 19}, stop));
  EXPECT_TRUE(HasEnoughPairs({1.0, 0.999, 1.001, 20}, stop));
  EXPECT_FALSE(HasEnoughPairs({1.0, 0.9, 1.1, 199}, stop));
  EXPECT_TRUE(HasEnoughPairs({1.0, 0.9, 1.1, 200}, stop));
}

}  // namespace
}  // namespace croq::measure
