#include "croq/contract/script_output.h"

#include "unit/contract/helpers.h"

namespace croq::contract {
namespace {

TEST(ScriptOutput, PrintsTheContractsLine) {
  EXPECT_EQ(FormatTiming(Triton().bench, {612.3456, 0.22449}).value(),
            "TFLOPS: 612.35   time_ms: 0.224");
}

TEST(ScriptOutput, ReadsTheLastTiming) {
  const auto timing = ParseTiming(Triton().bench,
                                  "TFLOPS: 1.00   time_ms: 9.000\nwarning: something\n"
                                  "TFLOPS: 612.35 time_ms: 0.224\nbye\n");
  ASSERT_TRUE(timing.has_value());
  EXPECT_EQ(timing->tflops, 612.35);
  EXPECT_EQ(timing->time_ms, 0.224);
}

TEST(ScriptOutput, RefusesWhatOnlyLooksLikeATiming) {
  const Bench bench = Triton().bench;
  EXPECT_FALSE(ParseTiming(bench, "").has_value());
  EXPECT_FALSE(ParseTiming(bench, "TFLOPS: fast   time_ms: 0.2").has_value());
  EXPECT_FALSE(ParseTiming(bench, "TFLOPS: 612.35").has_value());
  EXPECT_FALSE(ParseTiming(bench, "my TFLOPS: 612.35 time_ms: 0.2").has_value());
}

TEST(ScriptOutput, ReadsVerdicts) {
  const Verify verify = Triton().verify;
  const auto pass = ParseVerdict(verify, "VERIFY: PASS\nTFLOPS: 1.00   time_ms: 1.000\n");
  ASSERT_TRUE(pass.has_value());
  EXPECT_TRUE(pass->passed);
  const auto fail = ParseVerdict(verify, "VERIFY: FAIL max_abs_err=0.125\n");
  ASSERT_TRUE(fail.has_value());
  EXPECT_FALSE(fail->passed);
  EXPECT_EQ(fail->max_abs_err, 0.125);
  EXPECT_FALSE(ParseVerdict(verify, "VERIFY: PASSED\n").has_value());
}

}  // namespace
}  // namespace croq::contract
