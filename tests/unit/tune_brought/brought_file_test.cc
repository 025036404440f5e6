#include "croq/tune/brought/brought_file.h"

#include "croq/base/files.h"
#include "unit/tune_brought/helpers.h"

namespace croq::tune {
namespace {

class BroughtFileTest : public ::testing::Test {
 protected:
  Result<BroughtFile> Read(const std::string& text, const BroughtOptions& options = {}) {
    const std::filesystem::path path = TestFolder() / "mine.py";
    EXPECT_TRUE(WriteFile(path, text));
    return ReadBroughtFile(path, reader_, BroughtContract(), options);
  }

  FakeTreeReader reader_;
};

constexpr const char* kContractFile =
    "M, N, K = 512, 256, 128\nBLOCK_M = 64\ndef kernel_fn(a, b):\n    k[(1,)](a, b)\n"
    "def verify(): pass\ndef bench(): pass\nif __name__ == '__main__':\n    verify()\n";

TEST_F(BroughtFileTest, HasItsFirstConfigurationInItsSpace) {
  const BroughtFile file = Read(Softmax()).value();
  EXPECT_EQ(file.shape.text, "softmax_f16fp32_1024x2048");
  EXPECT_EQ(file.Entry(), "softmax");
  ASSERT_EQ(file.space.variants.size(), 1u);
  EXPECT_EQ(file.space.Size(), 8);
  EXPECT_EQ(file.first.Text(), "softmax_" + file.hash + " BLOCK=64 FAST=True num_stages=3 num_warps=4");
  EXPECT_NE(Read(Softmax() + "# more\n").value().hash, file.hash);
}

TEST_F(BroughtFileTest, OfTheContractNeedsNoTable) {
  const BroughtFile file = Read(kContractFile).value();
  EXPECT_EQ(file.shape.text, "matmul_f16fp32_512x256x128");
  EXPECT_FALSE(file.problem);
  EXPECT_EQ(file.Entry(), "kernel_fn");
  BroughtOptions options;
  options.shape = "matmul_nt_bf16fp32_8x16x32";
  EXPECT_EQ(Read(kContractFile, options).value().shape.text, options.shape);
}

TEST_F(BroughtFileTest, WhatIsWrongIsAUsageError) {
  BroughtOptions shape;
  shape.shape = "matmul_f16fp32_1x1x1";
  BroughtOptions dims;
  dims.dims = {{"M", 4}};
  BroughtOptions bad_shape;
  bad_shape.shape = "softmax_f16fp32_1x1";
  const std::pair<Result<BroughtFile>, const char*> cases[] = {
      {Read("refuse me"), "mine.py:3:1: it is no Python"},
      {Read("x = 1\n"), "has no CROQ"},
      {Read(Softmax(), shape), "whose dims --dims changes"},
      {Read(kContractFile, dims), "no CROQ table whose dims"},
      {Read(kContractFile, bad_shape), "unknown operator 'softmax'"},
      {Read("M = N = K = 4\n"), "has no CROQ"},
      {Read("M, N, K = 1, 2, 3\nBLOCK_M = 64\n"), "nor a function kernel_fn"},
      {Read("M, N, K = 1, 2, 3\nBLOCK_M = 64\ndef kernel_fn(a, b): pass\n"), "needs verify(), bench()"},
  };
  for (const auto& [result, says] : cases) {
    ASSERT_FALSE(result) << says;
    EXPECT_EQ(result.error().kind, ErrorKind::kUsage);
    EXPECT_NE(result.error().message.find(says), std::string::npos) << result.error().message;
  }
  EXPECT_FALSE(ReadBroughtFile("/no/such/file.py", reader_, BroughtContract(), {}));
}

}  // namespace
}  // namespace croq::tune
