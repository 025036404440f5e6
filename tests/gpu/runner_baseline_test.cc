#include <gmock/gmock.h>

#include <algorithm>
#include <iostream>

#include "croq_runner/baseline.h"
#include "gpu/gpu_fixture.h"

namespace croq::runner {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RunnerBaseline : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    if (FindLibraries().cublas.empty()) {
      GTEST_SKIP() << "no libcublas: set CROQ_CUBLAS and CROQ_CUBLAS_LT";
    }
  }

  static std::unique_ptr<Baseline> Make(const PrepareRequest& request, Operands& operands) {
    auto baseline = Baseline::Create(request, operands, driver(), stream());
    EXPECT_TRUE(baseline) << baseline.error().message;
    return baseline ? std::move(*baseline) : nullptr;
  }
};

TEST_F(RunnerBaseline, SaysThatThereAreNoLibraries) {
  PrepareRequest request = Request("matmul_f16fp32_64x64x64");
  const auto operands = MakeOperands(request);
  ASSERT_NE(operands, nullptr);
  request.libraries = {};
  auto baseline = Baseline::Create(request, *operands, driver(), stream());
  ASSERT_FALSE(baseline);
  EXPECT_THAT(baseline.error().message, HasSubstr("CUDA build of torch"));
  request.libraries = {"/nowhere/libcublas.so.12", "/nowhere/libcublasLt.so.12"};
  baseline = Baseline::Create(request, *operands, driver(), stream());
  ASSERT_FALSE(baseline);
  EXPECT_THAT(baseline.error().message, HasSubstr("/nowhere/libcublasLt.so.12"));
}

class RunnerBaselineShape : public RunnerBaseline,
                            public testing::WithParamInterface<const char*> {};

TEST_P(RunnerBaselineShape, PassesTheCheckOnEverySetTried) {
  const PrepareRequest request = Request(GetParam());
  const auto operands = MakeOperands(request);
  ASSERT_NE(operands, nullptr);
  const auto baseline = Make(request, *operands);
  ASSERT_NE(baseline, nullptr);
  double worst = 0;
  for (int set = 0; set < std::min(operands->sets(), 3); ++set) {
    ASSERT_TRUE(operands->PoisonOutput(set, stream()));
    const Status launched = baseline->Launch(set, stream());
    ASSERT_TRUE(launched) << launched.error().message;
    const auto check = operands->CheckOutput(set, stream());
    ASSERT_TRUE(check) << check.error().message;
    EXPECT_TRUE(check->passed) << operands->Explain(*check);
    worst = std::max(worst, check->worst_ratio);
    const auto changed = operands->FirstChanged(set, 1);
    EXPECT_TRUE(changed && !*changed);
  }
  const auto name = baseline->KernelName();
  ASSERT_TRUE(name) << name.error().message;
  EXPECT_THAT(*name, Not(HasSubstr("(a kernel")));
  EXPECT_FALSE(name->empty());
  // What calibrates the constant of the bound: for f32 the ratio is nearly all accumulation.
  std::cout << GetParam() << ": worst error/bound " << worst << " with c = "
            << request.bound_constant << ", " << *name << "\n";
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, RunnerBaselineShape,
    testing::Values("matmul_f16fp32_1x1x1", "matmul_f16fp32_130x70x96",
                    "matmul_f16fp32_16x8192x8192", "matmul_f16fp32_4096x4096x4096",
                    "matmul_nt_f16fp32_4096x4096x4096",
                    "matmul_f16fp32_1000x2000x3000", "matmul_f16fp32_512x512x65536",
                    "matmul_bf16fp32_2048x2048x2048", "matmul_nt_bf16fp32_300x500x700",
                    "matmul_f32_1024x1024x1024", "matmul_nt_f32_257x129x4096",
                    "matmul_f32_512x512x65536", "matmul_tf32fp32_2048x2048x2048",
                    "matmul_nt_tf32fp32_1000x1000x1000", "matmul_tf32fp32_512x512x65536",
                    "matmul_tf32fp32_64x64x16", "matmul_nt_e4m3fp32_8192x8192x8192",
                    "matmul_nt_e4m3fp32_1000x2000x3008", "matmul_nt_e4m3fp32_64x8192x28672",
                    "matmul_nt_e4m3fp32_16x16x32",
                    "blockscale_gemm_e4m3fp16fp32_2048x2048x8192",
                    "blockscale_gemm_e4m3fp16fp32_1000x2000x3008"));

TEST_F(RunnerBaseline, FindsTheFastestHeuristicAndItIsRight) {
  for (const char* shape : {"matmul_nt_f16fp32_4096x4096x512", "matmul_bf16fp32_1024x1024x1024",
                            "matmul_tf32fp32_1024x512x2048", "matmul_f32_512x512x512",
                            "matmul_nt_e4m3fp32_4096x4096x4096",
                            "blockscale_gemm_e4m3fp16fp32_1024x1024x1024"}) {
    const PrepareRequest request = Request(shape);
    const auto operands = MakeOperands(request);
    ASSERT_NE(operands, nullptr);
    const auto baseline = Make(request, *operands);
    ASSERT_NE(baseline, nullptr);
    EXPECT_FALSE(baseline->LaunchBestHeuristic(0, stream()));
    const auto reply = baseline->FindBestHeuristic(8, stream());
    ASSERT_TRUE(reply) << reply.error().message;
    ASSERT_EQ(reply->problem, "");
    EXPECT_GE(reply->tried, 1);
    EXPECT_LE(reply->tried, 8);
    EXPECT_LT(reply->best, reply->tried);
    EXPECT_GT(reply->best_ms, 0);
    EXPECT_LE(reply->best_ms, reply->first_ms);
    std::cout << shape << ": " << reply->tried << " tried, #" << reply->best << " best, "
              << reply->first_ms << " ms first, " << reply->best_ms << " ms best\n";
    ASSERT_TRUE(operands->PoisonOutput(0, stream()));
    ASSERT_TRUE(baseline->LaunchBestHeuristic(0, stream()));
    const auto check = operands->CheckOutput(0, stream());
    ASSERT_TRUE(check);
    EXPECT_TRUE(check->passed) << operands->Explain(*check);
  }
}

TEST_F(RunnerBaseline, ReferenceRateIsPrinted) {
  const PrepareRequest request = Request("matmul_f16fp32_4096x4096x4096");
  const auto operands = MakeOperands(request);
  ASSERT_NE(operands, nullptr);
  auto start = Event::Create(driver());
  auto stop = Event::Create(driver());
  ASSERT_TRUE(start && stop);
  ASSERT_EQ(driver().EventRecord(start->get(), stream()), CUDA_SUCCESS);
  ASSERT_TRUE(operands->CheckOutput(0, stream()));
  ASSERT_EQ(driver().EventRecord(stop->get(), stream()), CUDA_SUCCESS);
  ASSERT_EQ(driver().EventSynchronize(stop->get()), CUDA_SUCCESS);
  float ms = 0;
  ASSERT_EQ(driver().EventElapsedTime(&ms, start->get(), stop->get()), CUDA_SUCCESS);
  std::cout << "reference and check of " << request.shape.text << ": " << ms << " ms, "
            << request.shape.Flops() / static_cast<double>(ms) / 1e9 << " TFLOPS of fp64\n";
}

}  // namespace
}  // namespace croq::runner
