#include "croq/protocol/messages.h"
#include "croq_runner/dispatch.h"
#include "runner_fixture.h"

namespace croq::runner {
namespace {

using nlohmann::json;

class RunnerFaults : public RunnerOnFake {
 protected:
  RunnerFaults() { StartPrepared(); }

  TrialReply Reply(const TrialRequest& request) {
    const auto message = RunTrial(request);
    EXPECT_TRUE(message);
    const auto reply = protocol::DecodeTrialReply(message.value_or(json()));
    EXPECT_TRUE(reply) << reply.error().message;
    return reply.value_or(TrialReply{});
  }

  /// The runner is still there and works.
  void ExpectAlive() { EXPECT_EQ(Reply(Trial("")).outcome, Outcome::kCorrect); }
};

TEST_F(RunnerFaults, AGoodPlanIsCorrect) {
  const TrialReply reply = Reply(Trial("ms=0.25"));
  EXPECT_EQ(reply.outcome, Outcome::kCorrect) << reply.reason;
  EXPECT_FALSE(reply.sticky);
  ASSERT_TRUE(reply.check);
  EXPECT_TRUE(reply.check->passed);
  ASSERT_TRUE(reply.timing);
  EXPECT_EQ(reply.timing->samples_ms, std::vector<double>(10, 0.25));
  EXPECT_EQ(reply.timing->median_ms, 0.25);
  EXPECT_FALSE(reply.timing->stopped_early);
}

TEST_F(RunnerFaults, WrongNumbers) {
  const TrialReply reply = Reply(Trial("does=wrong"));
  EXPECT_EQ(reply.outcome, Outcome::kCorrectness);
  EXPECT_FALSE(reply.sticky);
  EXPECT_NE(reply.reason, "");
  ASSERT_TRUE(reply.check);
  EXPECT_EQ(reply.check->nan_count, 5);
  EXPECT_FALSE(reply.timing);
}

TEST_F(RunnerFaults, ChangedInputsEndTheRunner) {
  const TrialReply reply = Reply(Trial("does=clobber"));
  EXPECT_EQ(reply.outcome, Outcome::kCorrectness);
  EXPECT_TRUE(reply.sticky);
  EXPECT_NE(reply.reason.find("writes its input"), std::string::npos);
  EXPECT_FALSE(runner_->Receive());
  EXPECT_EQ(runner_->Wait(), kExitContextLost);
}

TEST_F(RunnerFaults, InputsChangedByATimedLaunchAreFoundToo) {
  const TrialReply reply = Reply(Trial("does=clobber after=5"));
  EXPECT_EQ(reply.outcome, Outcome::kCorrectness);
  EXPECT_TRUE(reply.sticky);
}

TEST_F(RunnerFaults, AnIllegalAddressIsStickyAndTheRunnerEnds) {
  const TrialReply reply = Reply(Trial("does=illegal"));
  EXPECT_EQ(reply.outcome, Outcome::kRuntime);
  EXPECT_TRUE(reply.sticky);
  EXPECT_NE(reply.reason.find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos) << reply.reason;
  EXPECT_FALSE(runner_->Receive());
  EXPECT_EQ(runner_->Wait(), kExitContextLost);
}

TEST_F(RunnerFaults, AnIllegalAddressOfALaterLaunchToo) {
  const TrialReply reply = Reply(Trial("does=illegal after=7"));
  EXPECT_EQ(reply.outcome, Outcome::kRuntime);
  EXPECT_TRUE(reply.sticky);
  EXPECT_FALSE(reply.timing);
  EXPECT_EQ(runner_->Wait(), kExitContextLost);
}

TEST_F(RunnerFaults, AKernelThatNeverEndsIsATimeout) {
  TrialRequest request = Trial("does=hang");
  request.deadline_ms = 30;
  const TrialReply reply = Reply(request);
  EXPECT_EQ(reply.outcome, Outcome::kTimeout);
  EXPECT_NE(reply.reason.find("30 ms"), std::string::npos) << reply.reason;
  EXPECT_FALSE(runner_->Receive());
  EXPECT_EQ(runner_->Wait(), kExitHung);
}

TEST_F(RunnerFaults, AHangOfATimedLaunchToo) {
  TrialRequest request = Trial("does=hang after=6");
  request.deadline_ms = 30;
  EXPECT_EQ(Reply(request).outcome, Outcome::kTimeout);
  EXPECT_EQ(runner_->Wait(), kExitHung);
}

TEST_F(RunnerFaults, ALaunchCallThatDoesNotReturnIsFoundByTheWatchdog) {
  TrialRequest request = Trial("does=block after=1");
  request.deadline_ms = 1;
  EXPECT_EQ(Reply(request).outcome, Outcome::kTimeout);
  EXPECT_EQ(runner_->Wait(), kExitHung);
}

TEST_F(RunnerFaults, TooMuchSharedMemoryIsRefusedBeforeTheLaunch) {
  TrialRequest request = Trial("");
  request.plan.kernels[0].shared_bytes = 232449;
  const TrialReply reply = Reply(request);
  EXPECT_EQ(reply.outcome, Outcome::kRuntime);
  EXPECT_FALSE(reply.sticky);
  EXPECT_NE(reply.reason.find("232449 bytes of shared memory"), std::string::npos) << reply.reason;
  EXPECT_TRUE(LogLines().empty());
  ExpectAlive();
}

TEST_F(RunnerFaults, TooManyThreadsAreRefused) {
  TrialRequest request = Trial("threads=256");
  request.plan.kernels[0].num_warps = 16;
  EXPECT_NE(Reply(request).reason.find("512 threads"), std::string::npos);
  ExpectAlive();
}

TEST_F(RunnerFaults, AnUnknownEntryOrCubin) {
  TrialRequest request = Trial("");
  request.plan.kernels[0].entry = "other";
  TrialReply reply = Reply(request);
  EXPECT_EQ(reply.outcome, Outcome::kRuntime);
  EXPECT_NE(reply.reason.find("CUDA_ERROR_NOT_FOUND"), std::string::npos) << reply.reason;
  request.plan.kernels[0].cubin_path = folder_ / "missing.cubin";
  reply = Reply(request);
  EXPECT_NE(reply.reason.find("missing.cubin"), std::string::npos) << reply.reason;
  ExpectAlive();
}

TEST_F(RunnerFaults, ParametersMustBeThoseOfTheKernel) {
  TrialRequest request = Trial("");
  auto& arguments = std::get<LaunchStep>(request.plan.steps[0]).arguments;
  arguments[3] = ScalarArgument{"i64", 64, 0};
  EXPECT_NE(Reply(request).reason.find("parameter 3 of the kernel has 4 bytes, the plan passes 8"),
            std::string::npos);
  arguments.pop_back();
  EXPECT_NE(Reply(request).reason.find("6 parameters, the plan passes 5"), std::string::npos);
  request.plan.kernels[0].scratch_parameters = 1;
  EXPECT_NE(Reply(request).reason.find("the plan passes 4"), std::string::npos);
  ExpectAlive();
}

TEST_F(RunnerFaults, OperandsMustHaveTheirSizeAndName) {
  TrialRequest request = Trial("");
  request.plan.buffers[0].bytes *= 2;
  EXPECT_NE(Reply(request).reason.find("operand a"), std::string::npos);
  request = Trial("");
  request.plan.buffers[1].name = "weights";
  EXPECT_NE(Reply(request).reason.find("'weights'"), std::string::npos);
  ExpectAlive();
}

TEST_F(RunnerFaults, ADuelEndsTheSameWays) {
  DuelRequest duel;
  duel.candidate = Plan("");
  duel.reference = DuelReference::kPlan;
  duel.reference_plan = Plan("does=illegal after=9");
  const auto reply =
      protocol::DecodeDuelReply(*runner_->Ask(protocol::WithId(protocol::Encode(duel), 4)));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->outcome, Outcome::kRuntime);
  EXPECT_TRUE(reply->sticky);
  EXPECT_EQ(runner_->Wait(), kExitContextLost);
}

TEST_F(RunnerFaults, ADuelWithoutABaselineSaysWhy) {
  DuelRequest duel;
  duel.candidate = Plan("");
  const auto reply =
      protocol::DecodeDuelReply(*runner_->Ask(protocol::WithId(protocol::Encode(duel), 4)));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->outcome, Outcome::kRuntime);
  EXPECT_NE(reply->reason.find("no baseline"), std::string::npos);
  ExpectAlive();
}

}  // namespace
}  // namespace croq::runner
