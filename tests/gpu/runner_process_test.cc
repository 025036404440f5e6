#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "croq/measure/paired.h"
#include "croq/protocol/messages.h"
#include "croq_runner/dispatch.h"
#include "gpu/gpu_fixture.h"
#include "gpu/runner_kernels.h"
#include "support/runner_process.h"

namespace croq::runner {
namespace {

using nlohmann::json;

/// The real croq-runner on the real device. It does not use GpuTest's own context.
class RunnerOnGpu : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped())
      return;
    std::string name = (std::filesystem::temp_directory_path() / "croq-gpu-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    Start("matmul_f16fp32_512x384x256");
  }

  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  void Start(const std::string& shape) {
    runner_ = std::make_unique<croq::testing::RunnerProcess>(std::map<std::string, std::string>{});
    const auto hello = runner_->Receive();
    ASSERT_TRUE(hello);
    ASSERT_EQ((*hello)["cuda"], true) << *hello;
    ASSERT_EQ((*Ask(OpenRequest{0}))["type"], "open_reply");
    const PrepareRequest request = Request(shape);
    shape_ = request.shape;
    const auto prepared = Ask(request);
    ASSERT_EQ((*prepared)["type"], "prepare_reply") << *prepared;
    baseline_problem_ = (*prepared)["baseline_problem"];
  }

  template <typename T>
  std::optional<json> Ask(const T& request) {
    return runner_->Ask(protocol::WithId(protocol::Encode(request), 1));
  }

  LaunchPlan Plan(const std::string& entry) const { return PlanOf(entry, shape_, folder_); }

  TrialReply Try(const std::string& entry, double deadline_ms = 2000) {
    TrialRequest request;
    request.plan = Plan(entry);
    request.deadline_ms = deadline_ms;
    const auto message = Ask(request);
    const auto reply = protocol::DecodeTrialReply(message.value_or(json()));
    EXPECT_TRUE(reply) << reply.error().message;
    return reply.value_or(TrialReply{});
  }

  std::filesystem::path folder_;
  ShapeKey shape_;
  std::string baseline_problem_;
  std::unique_ptr<croq::testing::RunnerProcess> runner_;
};

TEST_F(RunnerOnGpu, ARightKernelIsCorrectAndTimed) {
  TrialRequest request;
  request.plan = Plan("naive");
  request.check_all_sets = true;
  const auto reply = protocol::DecodeTrialReply(*Ask(request));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->outcome, Outcome::kCorrect) << reply->reason;
  ASSERT_TRUE(reply->timing);
  EXPECT_EQ(reply->timing->samples_ms.size(), 10u);
  EXPECT_GT(reply->timing->median_ms, 0);
}

TEST_F(RunnerOnGpu, AKernelThatWritesNothingIsWrong) {
  const TrialReply reply = Try("lazy");
  EXPECT_EQ(reply.outcome, Outcome::kCorrectness);
  ASSERT_TRUE(reply.check);
  EXPECT_EQ(reply.check->nan_count, shape_.m * shape_.n);  // the poison
  EXPECT_EQ(Try("naive").outcome, Outcome::kCorrect);
}

TEST_F(RunnerOnGpu, AnIllegalAddressEndsTheRunnerAndAFreshOneWorks) {
  const TrialReply reply = Try("wild");
  EXPECT_EQ(reply.outcome, Outcome::kRuntime);
  EXPECT_TRUE(reply.sticky);
  EXPECT_NE(reply.reason.find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos) << reply.reason;
  EXPECT_EQ(runner_->Wait(), kExitContextLost);
  Start(shape_.text);
  EXPECT_EQ(Try("naive").outcome, Outcome::kCorrect);
}

TEST_F(RunnerOnGpu, AKernelThatNeverEndsIsATimeoutAndAFreshRunnerWorks) {
  EXPECT_EQ(Try("endless", 300).outcome, Outcome::kTimeout);
  EXPECT_EQ(runner_->Wait(), kExitHung);
  Start(shape_.text);
  EXPECT_EQ(Try("naive").outcome, Outcome::kCorrect);
}

TEST_F(RunnerOnGpu, TooMuchSharedMemoryIsRefused) {
  TrialRequest request;
  request.plan = Plan("naive");
  request.plan.kernels[0].shared_bytes = facts().shared_bytes_per_block + 1;
  const auto reply = protocol::DecodeTrialReply(*Ask(request));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->outcome, Outcome::kRuntime);
  EXPECT_FALSE(reply->sticky);
  EXPECT_EQ(Try("naive").outcome, Outcome::kCorrect);
}

TEST_F(RunnerOnGpu, WrongParametersAreRefused) {
  TrialRequest request;
  request.plan = Plan("naive");
  std::get<LaunchStep>(request.plan.steps[0]).arguments[3] = ScalarArgument{"i64", shape_.m, 0};
  const auto reply = protocol::DecodeTrialReply(*Ask(request));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->outcome, Outcome::kRuntime);
  EXPECT_FALSE(reply->sticky);
}

TEST_F(RunnerOnGpu, EveryRegimeGivesATime) {
  double contract = 0;
  for (const Regime regime : {Regime::kContract, Regime::kCold, Regime::kSustained}) {
    TimeRequest request;
    request.plan = Plan("naive");
    request.regime = regime;
    const auto reply = protocol::DecodeTimeReply(*Ask(request));
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->outcome, Outcome::kCorrect) << reply->reason;
    EXPECT_GT(reply->timing.median_ms, 0);
    if (regime == Regime::kContract)
      contract = reply->timing.median_ms;
    // One kernel in three regimes: a unit or a count that is off would show as a factor.
    EXPECT_LT(reply->timing.median_ms, 3 * contract);
    EXPECT_GT(reply->timing.median_ms, contract / 3);
  }
}

TEST_F(RunnerOnGpu, APlanIsAsFastAsItself) {
  DuelRequest duel;
  duel.candidate = Plan("naive");
  duel.reference = DuelReference::kPlan;
  duel.reference_plan = Plan("naive");
  const auto reply = protocol::DecodeDuelReply(*Ask(duel));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->outcome, Outcome::kCorrect) << reply->reason;
  const measure::RatioInterval interval = measure::PairedRatio(reply->duel);
  EXPECT_GE(interval.pairs, 20);
  EXPECT_NEAR(interval.ratio, 1, 0.03);
}

TEST_F(RunnerOnGpu, CublasBeatsANaiveKernel) {
  if (!baseline_problem_.empty())
    GTEST_SKIP() << baseline_problem_;
  DuelRequest duel;
  duel.candidate = Plan("naive");
  const auto reply = protocol::DecodeDuelReply(*Ask(duel));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->outcome, Outcome::kCorrect) << reply->reason;
  EXPECT_LT(measure::PairedRatio(reply->duel).high, 1);
}

}  // namespace
}  // namespace croq::runner
