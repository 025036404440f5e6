#include "croq/model/shape_key.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace croq {
namespace {

TEST(ShapeKey, ReadsOperatorDtypeAndDimensions) {
  const ShapeKey key = ParseShapeKey("matmul_f16fp32_4096x2048x512").value();
  EXPECT_EQ(key.op, Operator::kMatmul);
  EXPECT_EQ(key.dtype, DType::kF16Fp32);
  EXPECT_EQ(key.m, 4096);
  EXPECT_EQ(key.n, 2048);
  EXPECT_EQ(key.k, 512);
  EXPECT_EQ(key.text, "matmul_f16fp32_4096x2048x512");
  EXPECT_EQ(ParseShapeKey("matmul_nt_bf16fp32_1x2147483647x3")->op, Operator::kMatmulNt);
  EXPECT_EQ(ParseShapeKey("matmul_f32_1x1x1")->dtype, DType::kF32);
  EXPECT_EQ(ParseShapeKey("matmul_tf32fp32_1x1x1")->dtype, DType::kTf32Fp32);
  const ShapeKey scaled = ParseShapeKey("blockscale_gemm_e4m3fp16fp32_7x32x48").value();
  EXPECT_EQ(scaled.op, Operator::kBlockscaleGemm);
  EXPECT_TRUE(scaled.BIsNk());
  EXPECT_EQ(ParseShapeKey("matmul_nt_e4m3fp32_7x32x48")->dtype, DType::kE4m3Fp32);
}

TEST(ShapeKey, CountsFlopsAndCompulsoryBytes) {
  const ShapeKey f16 = ParseShapeKey("matmul_f16fp32_100x200x300").value();
  EXPECT_DOUBLE_EQ(f16.Flops(), 12e6);
  EXPECT_DOUBLE_EQ(f16.CompulsoryBytes(), 2.0 * (100 * 300 + 300 * 200 + 100 * 200));
  const ShapeKey f32 = ParseShapeKey("matmul_f32_100x200x300").value();
  EXPECT_DOUBLE_EQ(f32.CompulsoryBytes(), 2 * f16.CompulsoryBytes());
  const ShapeKey f8 = ParseShapeKey("matmul_nt_e4m3fp32_100x208x304").value();
  EXPECT_DOUBLE_EQ(f8.CompulsoryBytes(), 100 * 304 + 208 * 304 + 2.0 * (100 * 208));
}

struct Malformed {
  const char* key;
  const char* what;  ///< what the message says is wrong
};

class MalformedShapeKey : public testing::TestWithParam<Malformed> {};

INSTANTIATE_TEST_SUITE_P(
    All, MalformedShapeKey,
    testing::Values(
        Malformed{"", "it is not <operator>_<dtype>_<M>x<N>x<K>"},
        Malformed{"matmul", "it is not <operator>_<dtype>_<M>x<N>x<K>"},
        Malformed{"4096x4096x4096", "it is not <operator>_<dtype>_<M>x<N>x<K>"},
        Malformed{"matmul_4096x4096x4096", "it is not <operator>_<dtype>_<M>x<N>x<K>"},
        Malformed{"conv_f16fp32_1x2x3", "unknown operator 'conv' (there are matmul, matmul_nt and blockscale_gemm)"},
        Malformed{"matmul_tn_f16fp32_1x2x3", "unknown operator 'matmul_tn'"},
        Malformed{"Matmul_f16fp32_1x2x3", "unknown operator 'Matmul'"},
        Malformed{"_f16fp32_1x2x3", "unknown operator ''"},
        Malformed{"matmul_fp8_1x2x3",
                  "unknown dtype 'fp8' (there are f16fp32, bf16fp32, f32, tf32fp32, e4m3fp32, "
                  "e4m3fp16fp32)"},
        Malformed{"matmul_e4m3fp32_64x64x64",
                  "FP8 matrix units want B as [N, K]: it is matmul_nt_e4m3fp32_64x64x64"},
        Malformed{"matmul_nt_e4m3fp16fp32_64x64x64",
                  "e4m3fp16fp32 has a scale a block: it is blockscale_gemm_e4m3fp16fp32_64x64x64"},
        Malformed{"blockscale_gemm_bf16fp32_64x64x64", "blockscale_gemm is of e4m3fp16fp32"},
        Malformed{"matmul_nt_e4m3fp32_64x64x72", "FP8 needs N and K in multiples of 16"},
        Malformed{"blockscale_gemm_e4m3fp16fp32_64x63x64", "here they are 63 and 64"},
        Malformed{"matmul_f16_1x2x3", "unknown dtype 'f16'"},
        Malformed{"matmul_nt_1x2x3", "unknown dtype 'nt'"},
        Malformed{"matmul__1x2x3", "unknown dtype ''"},
        Malformed{"matmul_f16fp32_", "it has 1 dimension where M x N x K needs three"},
        Malformed{"matmul_f16fp32_1", "it has 1 dimension where"},
        Malformed{"matmul_f16fp32_1x2", "it has 2 dimensions where M x N x K needs three"},
        Malformed{"matmul_f16fp32_1x2x3x4", "it has 4 dimensions where M x N x K needs three"},
        Malformed{"matmul_f16fp32_x2x3", "dimension M is missing"},
        Malformed{"matmul_f16fp32_1xx3", "dimension N is missing"},
        Malformed{"matmul_f16fp32_1x2x", "dimension K is missing"},
        Malformed{"matmul_f16fp32_0x2x3", "dimension M is 0, but must be at least 1"},
        Malformed{"matmul_f16fp32_1x-2x3", "dimension N is -2, but must be at least 1"},
        Malformed{"matmul_f16fp32_1x2x00", "dimension K is 0, but must be at least 1"},
        Malformed{"matmul_f16fp32_1x02x3", "dimension N is '02': no leading zeros"},
        Malformed{"matmul_f16fp32_1x2x2147483648",
                  "dimension K is 2147483648, above the limit of 2147483647"},
        Malformed{"matmul_f16fp32_99999999999999999999x2x3", "above the limit of 2147483647"},
        Malformed{"matmul_f16fp32_ax2x3", "dimension M is 'a', not a whole number"},
        Malformed{"matmul_f16fp32_1x2.5x3", "dimension N is '2.5', not a whole number"},
        Malformed{"matmul_f16fp32_1x2x3 ", "dimension K is '3 ', not a whole number"},
        Malformed{"matmul_f16fp32_+1x2x3", "dimension M is '+1', not a whole number"},
        Malformed{"matmul_f16fp32_1X2X3", "it has 1 dimension where"},
        Malformed{"matmul_f16fp32_../../x2x3", "dimension M is '../../', not a whole number"}));

TEST_P(MalformedShapeKey, SaysWhatIsWrongAndShowsARightOne) {
  const auto key = ParseShapeKey(GetParam().key);
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().kind, ErrorKind::kUsage);
  const std::string& message = key.error().message;
  EXPECT_NE(message.find(GetParam().what), std::string::npos) << message;
  EXPECT_EQ(message.find("shape key '" + std::string(GetParam().key) + "'"), 0U) << message;
  EXPECT_NE(message.find("matmul_f16fp32_4096x4096x4096"), std::string::npos) << message;
}

TEST(ShapeKeyProperty, EveryRightKeyIsReadToTheLetter) {
  EXPECT_TRUE(rc::check([] {
    const auto op = *rc::gen::element(Operator::kMatmul, Operator::kMatmulNt);
    const auto dtype = kAllDTypes[*rc::gen::inRange(0, 4)];
    const auto dimensions =
        *rc::gen::container<std::vector<std::int64_t>>(3, rc::gen::inRange(1L, 2147483648L));
    const std::string text = std::string(NameOf(op)) + "_" + std::string(FactsOf(dtype).name) +
                             "_" + std::to_string(dimensions[0]) + "x" +
                             std::to_string(dimensions[1]) + "x" + std::to_string(dimensions[2]);
    const ShapeKey key = ParseShapeKey(text).value();
    RC_ASSERT(key.text == text);
    RC_ASSERT(key.op == op);
    RC_ASSERT(key.dtype == dtype);
    RC_ASSERT((std::vector<std::int64_t>{key.m, key.n, key.k}) == dimensions);
  }));
}

TEST(ShapeKeyProperty, NoTextCrashes) {
  EXPECT_TRUE(rc::check([](const std::string& text) { (void)ParseShapeKey(text); }));
  EXPECT_TRUE(
      rc::check([](const std::string& text) { (void)ParseShapeKey("matmul_f16fp32_" + text); }));
}

}  // namespace
}  // namespace croq
