#include <gtest/gtest.h>

#include "croq/model/dtype.h"
#include "croq/model/iteration.h"
#include "croq/model/measurement.h"
#include "croq/model/outcome.h"

namespace croq {
namespace {

TEST(Outcome, NamesAreReadBack) {
  const std::pair<Outcome, const char*> all[] = {
      {Outcome::kCorrect, "correct"}, {Outcome::kConstraints, "constraints"},
      {Outcome::kCompile, "compile"}, {Outcome::kRuntime, "runtime"},
      {Outcome::kTimeout, "timeout"}, {Outcome::kCorrectness, "correctness"},
      {Outcome::kRule, "rule"}};
  for (const auto& [outcome, name] : all) {
    EXPECT_EQ(NameOf(outcome), name);
    EXPECT_EQ(ParseOutcome(name), outcome);
  }
  EXPECT_EQ(ParseOutcome("Correct"), std::nullopt);
  EXPECT_EQ(ParseOutcome(""), std::nullopt);
}

TEST(Decision, NamesAreReadBack) {
  EXPECT_EQ(NameOf(Decision::kKeep), "KEEP");
  EXPECT_EQ(ParseDecision("DISCARD"), Decision::kDiscard);
  EXPECT_EQ(ParseDecision(""), Decision::kNone);
  EXPECT_EQ(ParseDecision("keep"), std::nullopt);
}

TEST(DType, NamesAreReadBackAndPrecisionIsPartOfThem) {
  for (const DType dtype : kAllDTypes) EXPECT_EQ(ParseDType(FactsOf(dtype).name), dtype);
  EXPECT_EQ(ParseDType("f16"), std::nullopt);
  EXPECT_EQ(FactsOf(DType::kF32).input_precision, "ieee");
  EXPECT_EQ(FactsOf(DType::kTf32Fp32).input_precision, "tf32");
  EXPECT_EQ(FactsOf(DType::kTf32Fp32).operand.bytes, 4);
  EXPECT_EQ(FactsOf(DType::kBf16Fp32).operand.bytes, 2);
  EXPECT_EQ(FactsOf(DType::kE4m3Fp32).operand.torch, "float8_e4m3fn");
  EXPECT_EQ(FactsOf(DType::kE4m3Fp32).result.triton, "bf16");
  EXPECT_TRUE(FactsOf(DType::kE4m3Fp16Fp32).scaled);
  EXPECT_FALSE(FactsOf(DType::kBf16Fp32).scaled);
}

TEST(Iteration, NumbersHaveTheContractsWidth) {
  EXPECT_EQ(IterationName(0), "iter000");
  EXPECT_EQ(IterationName(7), "iter007");
  EXPECT_EQ(IterationName(1234), "iter1234");
  EXPECT_EQ(AttemptName(12), "attempt0012");
  Iteration iteration;
  iteration.number = 3;
  iteration.tag = "tiled_128";
  EXPECT_EQ(iteration.Name(), "iter003_tiled_128");
}

TEST(Tag, IsTwoToThirtyOnePlainCharactersFromALetter) {
  EXPECT_TRUE(IsValidTag("ab"));
  EXPECT_TRUE(IsValidTag("a_2"));
  EXPECT_TRUE(IsValidTag(std::string(31, 'a')));
  for (const char* wrong : {"", "a", "1a", "_a", "aB", "a-b", "a/b", "a.b", "a b", "../a", "aé"}) {
    EXPECT_FALSE(IsValidTag(wrong)) << wrong;
  }
  EXPECT_FALSE(IsValidTag(std::string(32, 'a')));
  EXPECT_FALSE(IsValidTag(std::string("ab\0c", 4)));
}

TEST(Tflops, IsFlopsOverTime) {
  // 2 * 4096^3 in 0.2 ms
  EXPECT_NEAR(Tflops(137438953472.0, 0.2), 687.19, 0.01);
  EXPECT_EQ(Tflops(1, 0), 0);
}

}  // namespace
}  // namespace croq
