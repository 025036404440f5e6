#include "croq/backend/runner_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "croq/process/siblings.h"
#include "support/processes.h"
#include "support/python.h"

namespace croq::backend {
namespace {

using croq::testing::ReadText;
using croq::testing::TemporaryFolder;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The client with tests/support/fake_runner.py: a trial's kernel name is the fault it brings.
class RunnerClientTest : public ::testing::Test {
 protected:
  RunnerClientTest() {
    options_.runner = croq::testing::AnyPython();
    options_.arguments = {std::string(CROQ_SOURCE_DIR) + "/tests/support/fake_runner.py"};
    options_.supervisor = process::FindSibling("croq-supervisor").value();
    options_.environment["CROQ_FAKE_STATE"] = folder_.path().string();
    options_.log_folder = folder_.path() / "logs";
  }

  void StartPrepared() {
    auto client = RunnerClient::Start(options_);
    ASSERT_TRUE(client) << client.error().message;
    client_ = std::move(*client);
    const auto prepared = client_->Prepare(Preparation());
    ASSERT_TRUE(prepared) << prepared.error().message;
    EXPECT_EQ(prepared->input_sets, 3);
  }

  static PrepareRequest Preparation() {
    PrepareRequest request;
    request.shape = ParseShapeKey("matmul_f16fp32_64x64x64").value();
    request.seed = 0xffff'ffff'ffff'ffffu;
    return request;
  }

  TrialReply Trial(const std::string& fault) {
    TrialRequest request;
    request.deadline_ms = 1;
    request.plan.kernels.emplace_back().entry = fault;
    auto reply = client_->RunTrial(request);
    EXPECT_TRUE(reply) << reply.error().message;
    return reply.value_or(TrialReply{});
  }

  std::vector<std::string> Requests() {
    std::istringstream lines(ReadText(folder_.path() / "requests"));
    std::vector<std::string> requests;
    for (std::string line; std::getline(lines, line);) requests.push_back(line);
    return requests;
  }

  TemporaryFolder folder_;
  RunnerOptions options_;
  std::unique_ptr<RunnerClient> client_;
};

TEST_F(RunnerClientTest, AsksOneRunnerForEverything) {
  StartPrepared();
  EXPECT_EQ(client_->Device().key, "sm90_NVIDIA_H200");
  EXPECT_TRUE(client_->Opened().nvml);
  const TrialReply trial = Trial("ok");
  EXPECT_EQ(trial.outcome, Outcome::kCorrect);
  ASSERT_TRUE(trial.timing);
  EXPECT_EQ(trial.timing->median_ms, 1.25);
  EXPECT_EQ(client_->RunDuel({}).value().duel.reference_ms, std::vector<double>{2.0});
  EXPECT_EQ(client_->Time({}).value().timing.samples_ms.size(), 2u);
  EXPECT_EQ(client_->FindHeuristics({}).value().best, 2);
  EXPECT_EQ(client_->Restarts(), 0);
  EXPECT_THAT(Requests(),
              ElementsAre("hello", "open", "prepare", "trial", "duel", "time", "heuristics"));
}

TEST_F(RunnerClientTest, AfterAStickyErrorAFreshRunnerIsPreparedWhenNeeded) {
  StartPrepared();
  const TrialReply lost = Trial("sticky");
  EXPECT_EQ(lost.outcome, Outcome::kRuntime);
  EXPECT_EQ(lost.reason, "illegal address (700)");
  EXPECT_TRUE(lost.sticky);
  EXPECT_EQ(Trial("ok").outcome, Outcome::kCorrect);
  EXPECT_EQ(client_->Restarts(), 1);
  EXPECT_THAT(Requests(), ElementsAre("hello", "open", "prepare", "trial", "hello", "open",
                                      "prepare", "trial"));
}

TEST_F(RunnerClientTest, AKernelWithoutEndIsATimeoutAndTheNextTrialRuns) {
  StartPrepared();
  EXPECT_EQ(Trial("endless").outcome, Outcome::kTimeout);
  EXPECT_EQ(Trial("ok").outcome, Outcome::kCorrect);
  EXPECT_EQ(client_->Restarts(), 1);
}

TEST_F(RunnerClientTest, ACrashIsTheCandidatesOutcomeWithItsText) {
  StartPrepared();
  const TrialReply lost = Trial("crash");
  EXPECT_EQ(lost.outcome, Outcome::kRuntime);
  EXPECT_TRUE(lost.sticky);
  EXPECT_THAT(lost.reason, HasSubstr("killed by SIGABRT (6); its last words: runner: assertion"));
  EXPECT_EQ(Trial("ok").outcome, Outcome::kCorrect);
  ASSERT_FALSE(std::filesystem::is_empty(options_.log_folder));
  const auto log = std::filesystem::directory_iterator(options_.log_folder)->path();
  EXPECT_EQ(ReadText(log), "runner: assertion failed\n");
}

TEST_F(RunnerClientTest, ARunnerThatDoesNotAnswerIsKilled) {
  options_.slack = milliseconds(300);
  StartPrepared();
  const TrialReply lost = Trial("hang");
  EXPECT_EQ(lost.outcome, Outcome::kTimeout);
  EXPECT_THAT(lost.reason, HasSubstr("gave no answer"));
  EXPECT_EQ(Trial("ok").outcome, Outcome::kCorrect);
}

TEST_F(RunnerClientTest, ARefusedRequestIsAnErrorAndTheRunnerStays) {
  StartPrepared();
  TrialRequest request;
  request.plan.kernels.emplace_back().entry = "refuse";
  const auto reply = client_->RunTrial(request);
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, HasSubstr("the plan has no kernels"));
  EXPECT_EQ(Trial("ok").outcome, Outcome::kCorrect);
  EXPECT_EQ(client_->Restarts(), 0);
}

TEST_F(RunnerClientTest, AFreshRunnerFindsTheBestHeuristicAgainBeforeItIsUsed) {
  StartPrepared();
  ASSERT_TRUE(client_->FindHeuristics({}));
  Trial("sticky");
  DuelRequest duel;
  duel.reference = DuelReference::kCublasLtBest;
  ASSERT_TRUE(client_->RunDuel(duel));
  ASSERT_TRUE(client_->RunDuel(duel));
  EXPECT_THAT(Requests(), ElementsAre("hello", "open", "prepare", "heuristics", "trial", "hello",
                                      "open", "prepare", "heuristics", "duel", "duel"));
}

TEST_F(RunnerClientTest, AFreshRunnerIsGivenTheReferencesAgain) {
  StartPrepared();
  const std::string folder = folder_.path().string();
  EXPECT_EQ(client_->WriteInputs({0, folder}).value().bytes, 1000);
  ASSERT_TRUE(client_->SetReferences({0, folder}));
  ASSERT_TRUE(client_->SetReferences({2, folder}));
  ASSERT_TRUE(client_->SetReferences({2, folder}));
  Trial("sticky");
  EXPECT_EQ(Trial("ok").outcome, Outcome::kCorrect);
  EXPECT_THAT(Requests(), ElementsAre("hello", "open", "prepare", "inputs", "references",
                                      "references", "references", "trial", "hello", "open",
                                      "prepare", "references", "references", "trial"));
  // Another problem has other references.
  ASSERT_TRUE(client_->Prepare(Preparation()));
  Trial("sticky");
  EXPECT_EQ(Trial("ok").outcome, Outcome::kCorrect);
  EXPECT_EQ(Requests().back(), "trial");
  EXPECT_EQ(Requests()[Requests().size() - 2], "prepare");
}

TEST_F(RunnerClientTest, FilesThatCannotBeHadAreAnErrorWithTheRunnersWords) {
  StartPrepared();
  const auto inputs = client_->WriteInputs({0, "/nowhere"});
  ASSERT_FALSE(inputs);
  EXPECT_THAT(inputs.error().message, HasSubstr("no folder /nowhere"));
  ASSERT_FALSE(client_->SetReferences({0, "/nowhere"}));
  Trial("sticky");
  EXPECT_EQ(Trial("ok").outcome, Outcome::kCorrect);  // What was refused is not asked again.
}

TEST_F(RunnerClientTest, OneDeathWhilePreparingIsForgiven) {
  options_.environment["CROQ_FAKE_START"] = "die_preparing_once";
  StartPrepared();
  EXPECT_EQ(Trial("ok").outcome, Outcome::kCorrect);
}

TEST_F(RunnerClientTest, TwoDeathsWhilePreparingEndIt) {
  options_.environment["CROQ_FAKE_START"] = "die_preparing";
  auto client = RunnerClient::Start(options_);
  ASSERT_TRUE(client) << client.error().message;
  const auto prepared = (*client)->Prepare(Preparation());
  ASSERT_FALSE(prepared);
  EXPECT_THAT(prepared.error().message, HasSubstr("twice in a row"));
  EXPECT_THAT(prepared.error().message, HasSubstr("exited with 6"));
}

TEST_F(RunnerClientTest, NoCudaIsSaid) {
  options_.environment["CROQ_FAKE_START"] = "no_cuda";
  const auto client = RunnerClient::Start(options_);
  ASSERT_FALSE(client);
  EXPECT_THAT(client.error().message, HasSubstr("libcuda.so.1 is not there"));
}

TEST_F(RunnerClientTest, AnotherVersionIsRefused) {
  options_.environment["CROQ_FAKE_START"] = "wrong_version";
  const auto client = RunnerClient::Start(options_);
  ASSERT_FALSE(client);
  EXPECT_THAT(client.error().message, HasSubstr("9.9.9"));
}

TEST_F(RunnerClientTest, AProgramThatIsNotThereIsNamed) {
  options_.runner = "/nowhere/croq-runner";
  const auto client = RunnerClient::Start(options_);
  ASSERT_FALSE(client);
  EXPECT_THAT(client.error().message, HasSubstr("cannot start /nowhere/croq-runner"));
}

TEST(RealRunnerTest, OpensADeviceOrSaysWhyThereIsNone) {
  RunnerOptions options;
  options.runner = std::string(CROQ_BINARY_DIR) + "/croq-runner";
  if (!std::filesystem::exists(options.runner))
    GTEST_SKIP() << "croq-runner is not built";
  options.supervisor = process::FindSibling("croq-supervisor").value();
  const auto client = RunnerClient::Start(options);
  if (client) {
    EXPECT_GT((*client)->Device().compute_capability, 0);
  } else {
    EXPECT_THAT(client.error().message, HasSubstr("there is no CUDA here: "));
  }
}

}  // namespace
}  // namespace croq::backend
