#include "croq_runner/device_facts.h"

#include <gtest/gtest.h>

namespace croq::runner {
namespace {

/// TFLOPS of a board by its datasheet's SM count and boost clock.
double Tflops(int per_clock, int sm_count, double ghz) { return per_clock * sm_count * ghz / 1e3; }

TEST(RatesOf, GivesTheDatasheetPeaks) {
  EXPECT_NEAR(Tflops(RatesOf(80).f16, 108, 1.41), 312, 1);
  EXPECT_NEAR(Tflops(RatesOf(90).f16, 132, 1.83), 989, 2);
  EXPECT_NEAR(Tflops(RatesOf(90).tf32, 132, 1.83), 494, 2);
  EXPECT_NEAR(Tflops(RatesOf(90).f32, 132, 1.98), 67, 1);
  EXPECT_NEAR(Tflops(RatesOf(89).f16, 142, 2.52), 366, 2);
}

TEST(RatesOf, NewerThanKnownIsNotBelowTheNewest) {
  EXPECT_GE(RatesOf(130).f16, RatesOf(100).f16);
}

TEST(RatesOf, BeforeAmpereThereIsNoTf32) { EXPECT_EQ(RatesOf(75).tf32, 0); }

}  // namespace
}  // namespace croq::runner
