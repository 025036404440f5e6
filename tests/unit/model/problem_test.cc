#include "croq/model/problem.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "croq/model/problem_json.h"

namespace croq {
namespace {

Problem Sample() {
  Problem problem;
  problem.key = MakeBroughtKey("rms_norm", DType::kBf16Fp32, {{"M", 64}, {"N", 128}}).value();
  problem.entry = "rms_norm";
  problem.reference = "torch_rms_norm";
  problem.tensors = {{"x", "bf16", {64, 128}, TensorRole::kInput, Distribution::kUniform, -1, 1},
                     {"residual", "bf16", {64, 128}, TensorRole::kInOut},
                     {"lengths", "i64", {64}, TensorRole::kInput, Distribution::kInteger, 1, 128},
                     {"y", "bf16", {64, 128}, TensorRole::kOutput}};
  problem.arguments = {{"x", std::size_t{0}},      {"residual", std::size_t{1}},
                       {"lengths", std::size_t{2}}, {"eps", 1e-6},
                       {"groups", std::int64_t{4}}, {"causal", true},
                       {"mode", std::string("row")}, {"bias", std::monostate{}}};
  problem.flops = problem.key.stated_flops = 1e9;
  problem.bytes = problem.key.stated_bytes = 2e6;
  problem.absolute_tolerance = 1e-2;
  return problem;
}

TEST(Problem, CountsElementsAndBytes) {
  const Problem problem = Sample();
  EXPECT_EQ(problem.tensors[0].Elements(), 64 * 128);
  EXPECT_EQ(problem.tensors[0].Bytes(), 64 * 128 * 2);
  EXPECT_EQ(problem.tensors[2].Bytes(), 64 * 8);
  EXPECT_EQ(problem.TensorBytes(), 3 * 64 * 128 * 2 + 64 * 8);
  EXPECT_EQ(problem.Find("residual"), &problem.tensors[1]);
  EXPECT_EQ(problem.Find("eps"), nullptr);
}

TEST(Problem, KnowsTorchsNamesOfElements) {
  EXPECT_EQ(ElementOf("float16"), "fp16");
  EXPECT_EQ(ElementOf("torch.bfloat16"), "bf16");
  EXPECT_EQ(ElementOf("i64"), "i64");
  EXPECT_EQ(ElementOf("half"), std::nullopt);
  for (const std::string& name : TorchElements()) {
    EXPECT_TRUE(ElementBytes(*ElementOf(name))) << name;
  }
  EXPECT_TRUE(IsFloatElement("fp8e5"));
  EXPECT_FALSE(IsFloatElement("i1"));
}

TEST(Problem, JsonKeepsEverything) {
  const Problem problem = Sample();
  const nlohmann::json json = problem;
  const Problem back = ProblemFromJson(nlohmann::json::parse(json.dump())).value();
  EXPECT_EQ(nlohmann::json(back), json);
  EXPECT_EQ(back.key.text, "rms_norm_bf16fp32_64x128");
  EXPECT_EQ(back.key.dimensions, problem.key.dimensions);
  EXPECT_EQ(back.key.Flops(), 1e9);
  EXPECT_EQ(back.key.CompulsoryBytes(), 2e6);
  EXPECT_EQ(std::get<double>(back.arguments[3].value), 1e-6);
  EXPECT_EQ(std::get<std::int64_t>(back.arguments[4].value), 4);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(back.arguments[7].value));
}

TEST(Problem, JsonOfAnotherFormIsRefused) {
  nlohmann::json json = Sample();
  json["tensors"][0]["element"] = "half";
  EXPECT_FALSE(ProblemFromJson(json));
  json = Sample();
  json["arguments"][0]["tensor"] = 9;
  EXPECT_FALSE(ProblemFromJson(json));
  json = Sample();
  json.erase("entry");
  EXPECT_FALSE(ProblemFromJson(json));
}

TEST(BroughtKey, IsMadeAndReadBack) {
  const ShapeKey key = MakeBroughtKey("softmax", DType::kF16Fp32, {{"M", 16384}, {"N", 8192}}).value();
  EXPECT_EQ(key.text, "softmax_f16fp32_16384x8192");
  EXPECT_EQ(key.OperatorWord(), "softmax");
  EXPECT_EQ(key.Flops(), 0);
  const ShapeKey back = ParseAnyShapeKey(key.text).value();
  EXPECT_EQ(back.op, Operator::kBrought);
  EXPECT_EQ(back.text, key.text);
  EXPECT_EQ(back.dimensions[1].value, 8192);
  EXPECT_EQ(ParseAnyShapeKey("matmul_nt_f32_1x2x3")->op, Operator::kMatmulNt);
  EXPECT_FALSE(ParseShapeKey(key.text));
}

TEST(BroughtKey, BadPartsAreRefused) {
  EXPECT_FALSE(MakeBroughtKey("Softmax", DType::kF32, {{"M", 1}}));
  EXPECT_FALSE(MakeBroughtKey("soft__max", DType::kF32, {{"M", 1}}));
  EXPECT_FALSE(MakeBroughtKey("matmul_nt", DType::kF32, {{"M", 1}}));
  EXPECT_FALSE(MakeBroughtKey("softmax", DType::kF32, {}));
  EXPECT_FALSE(MakeBroughtKey("softmax", DType::kF32, {{"M", 0}}));
  EXPECT_FALSE(ParseAnyShapeKey("softmax_f16fp32_1x"));
  EXPECT_FALSE(ParseAnyShapeKey("softmax_half_1x2"));
  EXPECT_FALSE(ParseAnyShapeKey("softmax"));
  EXPECT_FALSE(ParseAnyShapeKey("_f32_1"));
}

}  // namespace
}  // namespace croq
