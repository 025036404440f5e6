#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "croq/base/files.h"
#include "croq/protocol/messages.h"
#include "gpu/gpu_fixture.h"
#include "gpu/runner_kernels.h"
#include "support/runner_process.h"

namespace croq::runner {
namespace {

using nlohmann::json;

constexpr std::int64_t kRows = 512;
constexpr std::int64_t kColumns = 1000;
constexpr std::int64_t kCount = kRows * kColumns;

/// The real croq-runner on the real device with an in-place problem: r = 1 + x, y = 2 (1 + x).
class ProblemOnGpu : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped())
      return;
    std::string name = (std::filesystem::temp_directory_path() / "croq-gpu-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    Start();
  }

  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  void Start() {
    runner_ = std::make_unique<croq::testing::RunnerProcess>(std::map<std::string, std::string>{});
    ASSERT_TRUE(runner_->Receive());
    ASSERT_EQ(Ask(OpenRequest{0})["type"], "open_reply");
    PrepareRequest request;
    request.problem.emplace();
    Problem& problem = *request.problem;
    problem.key = MakeBroughtKey("accumulate", DType::kF32, {{"M", kRows}, {"N", kColumns}}).value();
    const std::vector<std::int64_t> shape{kRows, kColumns};
    problem.tensors = {{"x", "fp32", shape, TensorRole::kInput, Distribution::kUniform, 0.25, 1},
                       {"r", "fp32", shape, TensorRole::kInOut, Distribution::kConstant, 1, 0},
                       {"y", "fp32", shape, TensorRole::kOutput, Distribution::kNormal, 0, 1}};
    request.shape = problem.key;
    request.seed = 77;
    request.max_abs_tolerance = 1e-4;
    const auto prepared = protocol::DecodePrepareReply(Ask(request));
    ASSERT_TRUE(prepared) << prepared.error().message;
    prepared_ = *prepared;
    for (const int set : {0, 1}) SetReferences(set);
  }

  void SetReferences(int set) {
    ASSERT_EQ(Ask(InputsRequest{set, folder_.string()})["type"], "inputs_reply");
    const std::string data = ReadFile(folder_ / "x.bin").value();
    std::vector<float> r(kCount);
    std::memcpy(r.data(), data.data(), data.size());
    std::vector<float> y;
    for (float& value : r) {
      value += 1;
      y.push_back(2 * value);
    }
    Put("r", r);
    Put("y", y);
    const json reply = Ask(ReferencesRequest{set, folder_.string()});
    ASSERT_EQ(reply["type"], "references_reply") << reply;
  }

  void Put(const std::string& name, const std::vector<float>& values) const {
    std::ofstream(folder_ / (name + ".bin"), std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * 4));
  }

  template <typename T>
  json Ask(const T& request) {
    return runner_->Ask(protocol::WithId(protocol::Encode(request), 1)).value_or(json());
  }

  LaunchPlan Plan(std::int64_t mode) const { return AccumulatePlan(kCount, mode, folder_); }

  TrialReply Try(std::int64_t mode) {
    TrialRequest request;
    request.plan = Plan(mode);
    request.check_all_sets = true;
    const auto reply = protocol::DecodeTrialReply(Ask(request));
    EXPECT_TRUE(reply) << reply.error().message;
    return reply.value_or(TrialReply{});
  }

  TimeReply Time(std::int64_t mode, Regime regime) {
    TimeRequest request;
    request.plan = Plan(mode);
    request.regime = regime;
    const auto reply = protocol::DecodeTimeReply(Ask(request));
    EXPECT_TRUE(reply) << reply.error().message;
    return reply.value_or(TimeReply{});
  }

  std::filesystem::path folder_;
  PrepareReply prepared_;
  std::unique_ptr<croq::testing::RunnerProcess> runner_;
};

TEST_F(ProblemOnGpu, CopiesComeNearTheMemorysOwnBandwidth) {
  std::cout << "copy " << prepared_.copy_gbps << " GB/s of " << facts().memory_gb_per_s << ", "
            << prepared_.input_sets << " sets in " << prepared_.input_ms << " ms\n";
  EXPECT_GT(prepared_.copy_gbps, 0.5 * facts().memory_gb_per_s);
  EXPECT_LT(prepared_.copy_gbps, 1.1 * facts().memory_gb_per_s);
}

TEST_F(ProblemOnGpu, ARightKernelPassesAgainAndAgain) {
  for (int i = 0; i < 3; ++i) {
    const TrialReply reply = Try(0);
    EXPECT_EQ(reply.outcome, Outcome::kCorrect) << reply.reason;
    ASSERT_TRUE(reply.check);
    EXPECT_LE(reply.check->worst_ratio, 1);
  }
}

TEST_F(ProblemOnGpu, WrongKernelsAreNamedByTheirTensor) {
  TrialReply reply = Try(3);
  EXPECT_EQ(reply.outcome, Outcome::kCorrectness);
  EXPECT_NE(reply.reason.find("1 of 1024000 elements are NaN, the first in y, row 511, column 999"),
            std::string::npos)
      << reply.reason;
  reply = Try(4);
  EXPECT_EQ(reply.outcome, Outcome::kCorrectness);
  EXPECT_NE(reply.reason.find("the worst, in y, "), std::string::npos) << reply.reason;
  ASSERT_TRUE(reply.check);
  EXPECT_EQ(reply.check->over_bound, kCount);
  EXPECT_EQ(Try(0).outcome, Outcome::kCorrect);
}

TEST_F(ProblemOnGpu, AKernelThatWritesItsInputEndsTheRunner) {
  const TrialReply reply = Try(2);
  EXPECT_EQ(reply.outcome, Outcome::kCorrectness);
  EXPECT_TRUE(reply.sticky);
  EXPECT_EQ(reply.reason, "the candidate writes its input x (set 0)");
  Start();
  EXPECT_EQ(Try(0).outcome, Outcome::kCorrect);
}

/// A launch that found a stale residual would take as long as mode 1 always does.
TEST_F(ProblemOnGpu, EveryTimedLaunchFindsAFreshResidual) {
  const TrialReply slow = Try(1);
  const TrialReply fresh = Try(0);
  ASSERT_TRUE(slow.timing && fresh.timing);
  const double longest =
      *std::max_element(fresh.timing->samples_ms.begin(), fresh.timing->samples_ms.end());
  EXPECT_LT(longest, 0.5 * slow.timing->median_ms);
  for (const Regime regime : {Regime::kContract, Regime::kCold, Regime::kSustained}) {
    const TimeReply reply = Time(0, regime);
    EXPECT_EQ(reply.outcome, Outcome::kCorrect) << reply.reason;
    EXPECT_LT(*std::max_element(reply.timing.samples_ms.begin(), reply.timing.samples_ms.end()),
              0.5 * slow.timing->median_ms);
  }
  DuelRequest duel;
  duel.reference = DuelReference::kPlan;
  duel.candidate = Plan(0);
  duel.reference_plan = Plan(1);
  const auto reply = protocol::DecodeDuelReply(Ask(duel));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_LT(*std::max_element(reply->duel.candidate_ms.begin(), reply->duel.candidate_ms.end()),
            0.5 * slow.timing->median_ms);
}

/// 12 bytes an element: what crosses memory bounds a cold launch from below.
TEST_F(ProblemOnGpu, ColdLaunchesDoNotFindTheRestoredTensorInTheL2) {
  const TimeReply cold = Time(0, Regime::kCold);
  const double least_ms = 16.0 * kCount / (facts().memory_gb_per_s * 1e6);
  std::cout << "cold " << cold.timing.median_ms << " ms, at least " << least_ms << " by bandwidth, "
            << "contract " << Time(0, Regime::kContract).timing.median_ms << " ms\n";
  EXPECT_GT(cold.timing.median_ms, 0.5 * least_ms);
}

}  // namespace
}  // namespace croq::runner
