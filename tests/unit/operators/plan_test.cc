#include "croq/operators/plan.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "unit/operators/helpers.h"

namespace croq::operators {
namespace {

using ::testing::ElementsAre;

const KernelParameter& Parameter(const CompileJob& job, const std::string& name) {
  const auto found = std::find_if(job.parameters.begin(), job.parameters.end(),
                                  [&](const KernelParameter& p) { return p.name == name; });
  if (found == job.parameters.end()) {
    ADD_FAILURE() << "no parameter " << name;
    return job.parameters.front();
  }
  return *found;
}

CompileJob Job(const std::string& key, const Config& config) {
  return MatmulJobs(Problem(key), Must(ReadMatmulConfig(config)), "/x/tiled.py").front();
}

LaunchStep Launch(const std::string& key, const Config& config) {
  const LaunchPlan plan =
      MatmulPlan(Problem(key), Must(ReadMatmulConfig(config)), {CompiledKernel{}});
  return std::get<LaunchStep>(plan.steps.front());
}

TEST(Plan, FollowsTritonsSpecialisation) {
  const CompileJob job = Job("matmul_f16fp32_1x4097x64", Configured(kTiled));
  EXPECT_EQ(Parameter(job, "a_ptr").type, "*fp16");
  EXPECT_TRUE(Parameter(job, "a_ptr").divisible_by_16);
  EXPECT_EQ(Parameter(job, "M").type, "constexpr");
  EXPECT_EQ(Parameter(job, "M").value.integer, 1);
  EXPECT_EQ(Parameter(job, "N").type, "i32");
  EXPECT_FALSE(Parameter(job, "N").divisible_by_16);
  EXPECT_TRUE(Parameter(job, "K").divisible_by_16);
  EXPECT_EQ(Parameter(job, "stride_a").type, "i64");
  EXPECT_TRUE(Parameter(job, "stride_a").divisible_by_16);
  EXPECT_FALSE(Parameter(job, "stride_b").divisible_by_16);
}

TEST(Plan, AnnotatedStridesStayArgumentsAtOne) {
  const CompileJob job = Job("matmul_f16fp32_4096x1x1", Configured(kTiled));
  EXPECT_EQ(Parameter(job, "stride_a").type, "i64");
  EXPECT_EQ(Parameter(job, "N").type, "constexpr");
}

TEST(Plan, EvenFlagsSayWhetherBlocksDivide) {
  const CompileJob job = Job("matmul_f16fp32_4096x2000x4096", Configured(kTiled));
  EXPECT_EQ(Parameter(job, "EVEN_M").value.kind, ConstexprValue::Kind::kBool);
  EXPECT_EQ(Parameter(job, "EVEN_M").value.integer, 1);
  EXPECT_EQ(Parameter(job, "EVEN_N").value.integer, 0);
}

TEST(Plan, DescriptorTypesAreTritonsText) {
  const Config config = Configured(kDescriptor, "BLOCK_N=256 EPILOGUE_SPLIT=2");
  const CompileJob nn = Job(kSquare, config);
  EXPECT_EQ(Parameter(nn, "a_desc").type, "tensordesc<fp16[128, 64]>");
  EXPECT_EQ(Parameter(nn, "b_desc").type, "tensordesc<fp16[64, 256]>");
  EXPECT_EQ(Parameter(nn, "c_desc").type, "tensordesc<fp16[128, 128]>");
  const CompileJob nt = Job("matmul_nt_bf16fp32_4096x4096x4096", config);
  EXPECT_EQ(Parameter(nt, "b_desc").type, "tensordesc<bf16[256, 64]>");
}

TEST(Plan, DescriptorsCarryShapeAndStrides) {
  const LaunchStep step = Launch("matmul_nt_f16fp32_128x256x512", Configured(kDescriptor));
  const auto& b = std::get<DescriptorArgument>(step.arguments[1]);
  EXPECT_EQ(b.buffer, 1);
  EXPECT_THAT(b.shape, ElementsAre(256, 512));
  EXPECT_THAT(b.strides, ElementsAre(512, 1));
}

TEST(Plan, ConstantsAreNoArguments) {
  // a, b, c, N, K and three strides; M = 1 is a constant.
  EXPECT_EQ(Launch("matmul_f16fp32_1x4096x4096", Configured(kTiled)).arguments.size(), 8u);
}

TEST(Plan, GridIsATileEach) {
  EXPECT_EQ(Launch("matmul_f16fp32_1000x2000x3000", Configured(kTiled)).grid[0], 8 * 16);
}

TEST(Plan, PersistentGridIsCappedByTheDevice) {
  EXPECT_EQ(Launch(kSquare, Configured(kPersistent)).grid[0], 132);
  EXPECT_EQ(Launch(kSquare, Configured(kPersistent, "PROGRAMS_PER_SM=2")).grid[0], 264);
  EXPECT_EQ(Launch(kSquare, Configured(kPersistent, "num_ctas=2")).grid[0], 66);
  EXPECT_EQ(Launch("matmul_f16fp32_512x512x512", Configured(kPersistent)).grid[0], 16);
}

TEST(Plan, PartsOfKAreAddedByASecondKernel) {
  const MatmulConfig config = Must(ReadMatmulConfig(Configured(kSplitKDescriptor, "SPLIT_K=4")));
  const std::vector<CompileJob> jobs = MatmulJobs(Problem(kThin), config, "/x/split_k.py");
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[0].kernel, "matmul_kernel");
  EXPECT_EQ(Parameter(jobs[0], "parts_ptr").type, "*fp32");
  EXPECT_EQ(jobs[1].kernel, "reduce_kernel");
  EXPECT_EQ(Parameter(jobs[1], "SPLIT_K").value.integer, 4);
  const LaunchPlan plan = MatmulPlan(Problem(kThin), config, std::vector<CompiledKernel>(2));
  ASSERT_EQ(plan.buffers.size(), 4u);
  EXPECT_TRUE(plan.buffers[3].scratch);
  EXPECT_EQ(plan.buffers[3].bytes, std::int64_t{4} * 256 * 8192 * 4);
  const auto& product = std::get<LaunchStep>(plan.steps[0]);
  const auto& sum = std::get<LaunchStep>(plan.steps[1]);
  EXPECT_THAT(product.grid, ElementsAre(2 * 32, 4, 1));
  EXPECT_EQ(std::get<PointerArgument>(product.arguments[2]).buffer, 3);
  EXPECT_EQ(sum.kernel, 1);
  EXPECT_THAT(sum.grid, ElementsAre(256 * 8192 / 1024, 1, 1));
  EXPECT_EQ(std::get<PointerArgument>(sum.arguments[0]).buffer, 3);
  EXPECT_EQ(std::get<PointerArgument>(sum.arguments[1]).buffer, 2);
}

TEST(Plan, SharedTilesAreAddedByASecondKernel) {
  // 512 tiles: three waves of 132 and 116 to share.
  const MatmulConfig config = Must(ReadMatmulConfig(Configured(kStreamK)));
  const std::vector<CompileJob> jobs = MatmulJobs(Problem(kSquare), config, "/x/stream_k.py");
  ASSERT_EQ(jobs.size(), 2u);
  EXPECT_EQ(jobs[1].kernel, "fixup_kernel");
  const LaunchPlan plan = MatmulPlan(Problem(kSquare), config, std::vector<CompiledKernel>(2));
  ASSERT_EQ(plan.buffers.size(), 4u);
  EXPECT_EQ(plan.buffers[3].bytes, 2 * 132 * 128 * 256 * 4);
  EXPECT_THAT(std::get<LaunchStep>(plan.steps[0]).grid, ElementsAre(132, 1, 1));
  EXPECT_THAT(std::get<LaunchStep>(plan.steps[1]).grid, ElementsAre(116, 8, 1));
}

TEST(Plan, WholeWavesNeedNoSecondKernel) {
  const MatmulConfig config = Must(ReadMatmulConfig(Configured(kStreamK)));
  EXPECT_EQ(MatmulJobs(Problem("matmul_f16fp32_1408x3072x4096"), config, "/x/s.py").size(), 1u);
}

TEST(Plan, OnlyASpecialisedKernelMustBeSpecialised) {
  EXPECT_TRUE(Job(kSquare, Configured(kPersistent, "WARP_SPECIALIZE=1")).warp_specialize);
  EXPECT_FALSE(Job(kSquare, Configured(kPersistent)).warp_specialize);
}

TEST(Plan, BuffersHoldWholeOperandsBeyond32Bits) {
  const LaunchPlan plan = MatmulPlan(Problem("matmul_f16fp32_65536x65536x65536"),
                                     Must(ReadMatmulConfig(Configured(kTiled))),
                                     {CompiledKernel{}});
  EXPECT_EQ(plan.buffers[2].bytes, std::int64_t{65536} * 65536 * 2);
}

}  // namespace
}  // namespace croq::operators
