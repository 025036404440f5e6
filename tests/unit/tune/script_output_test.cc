#include "croq/tune/script_output.h"

#include <gtest/gtest.h>

#include "unit/tune/tune_fixture.h"

namespace croq::tune {
namespace {

TEST(ScriptOutput, ReadsVerdictTimingAndKernels) {
  const ScriptOutput output = ReadScriptOutput(TritonContract(),
                                               "loading\nVERIFY: PASS\n"
                                               "KERNELS: nvjet_hsh_128x256, splitk_reduce\n"
                                               "TFLOPS: 612.34   time_ms: 0.224\n");
  ASSERT_TRUE(output.verdict);
  EXPECT_TRUE(output.verdict->passed);
  ASSERT_TRUE(output.timing);
  EXPECT_DOUBLE_EQ(output.timing->tflops, 612.34);
  EXPECT_DOUBLE_EQ(output.timing->time_ms, 0.224);
  EXPECT_EQ(output.kernels, (std::vector<std::string>{"nvjet_hsh_128x256", "splitk_reduce"}));
}

TEST(ScriptOutput, AFailedVerdictCarriesItsError) {
  const ScriptOutput output = ReadScriptOutput(TritonContract(), "VERIFY: FAIL max_abs_err=0.25\n");
  ASSERT_TRUE(output.verdict);
  EXPECT_FALSE(output.verdict->passed);
  EXPECT_DOUBLE_EQ(output.verdict->max_abs_err, 0.25);
  EXPECT_FALSE(output.timing);
}

TEST(ScriptOutput, NothingPrintedIsNothingRead) {
  const ScriptOutput output = ReadScriptOutput(TritonContract(), "Traceback ...\nKERNELS:\n");
  EXPECT_FALSE(output.verdict);
  EXPECT_FALSE(output.timing);
  EXPECT_TRUE(output.kernels.empty());
}

TEST(ScriptOutput, TheLastKernelsLineCountsEvenWithoutANewline) {
  const ScriptOutput output = ReadScriptOutput(
      TritonContract(), "KERNELS: old\nnot at the start KERNELS: wrong\nKERNELS: new");
  EXPECT_EQ(output.kernels, std::vector<std::string>{"new"});
}

}  // namespace
}  // namespace croq::tune
