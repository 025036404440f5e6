#include "croq/protocol/messages.h"
#include "runner_fixture.h"

namespace croq::runner {
namespace {

using croq::testing::RunnerProcess;
using nlohmann::json;

TEST(RunnerWithoutCuda, SaysSoAndGoesOn) {
  const std::map<std::string, std::string> environment = {
      {"CROQ_LIBCUDA", "/nowhere/libcuda.so.1"}};
  RunnerProcess runner(environment);
  const auto message = runner.Receive();
  ASSERT_TRUE(message);
  const auto hello = protocol::DecodeRunnerHello(*message);
  ASSERT_TRUE(hello) << hello.error().message;
  EXPECT_TRUE(protocol::CheckVersions("the runner", hello->protocol, hello->croq));
  EXPECT_FALSE(hello->cuda);
  EXPECT_NE(hello->problem.find("/nowhere/libcuda.so.1"), std::string::npos);
  EXPECT_TRUE(hello->devices.empty());
  const auto reply = runner.Ask(protocol::WithId(protocol::Encode(OpenRequest{0}), 5));
  ASSERT_TRUE(reply);
  EXPECT_EQ((*reply)["type"], "error");
  EXPECT_EQ((*reply)["id"], 5);
  runner.CloseRequests();
  EXPECT_EQ(runner.Wait(), 0);
}

TEST(RunnerWithoutADevice, SaysSo) {
  const std::map<std::string, std::string> environment = {{"CROQ_LIBCUDA", CROQ_FAKE_LIBCUDA},
                                                          {"CROQ_FAKE_CUDA_NO_DEVICE", "1"}};
  RunnerProcess runner(environment);
  const auto hello = runner.Receive();
  ASSERT_TRUE(hello);
  EXPECT_EQ((*hello)["cuda"], false);
  EXPECT_NE((*hello)["problem"].get<std::string>().find("CUDA_ERROR_NO_DEVICE"), std::string::npos);
}

TEST_F(RunnerOnFake, HelloListsTheDevices) {
  runner_ = std::make_unique<RunnerProcess>(
      std::map<std::string, std::string>{{"CROQ_LIBCUDA", CROQ_FAKE_LIBCUDA}});
  const auto hello = protocol::DecodeRunnerHello(runner_->Receive().value());
  ASSERT_TRUE(hello) << hello.error().message;
  ASSERT_EQ(hello->devices.size(), 1u);
  EXPECT_EQ(hello->devices[0].name, "Fake GPU");
  EXPECT_EQ(hello->devices[0].compute_capability, 90);
  EXPECT_EQ(hello->driver_version, 13000);
}

TEST_F(RunnerOnFake, OpenAndPrepare) {
  Start();
  const auto opened = protocol::DecodeOpenReply(Open());
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(opened->device.key, "sm90_Fake_GPU");
  EXPECT_EQ(opened->device.shared_bytes_per_block, 232448);
  EXPECT_FALSE(opened->nvml);
  const auto prepared = protocol::DecodePrepareReply(Prepare());
  ASSERT_TRUE(prepared) << prepared.error().message;
  // More than twice the fake's L2 of 64 KiB at 24 KiB a set.
  EXPECT_EQ(prepared->input_sets, 6);
  EXPECT_NE(prepared->baseline_problem, "");
}

TEST_F(RunnerOnFake, BadMessagesAreAnsweredAndTheRunnerGoesOn) {
  Start();
  const auto ask = [&](const json& message) { return runner_->Ask(message).value_or(json()); };
  json reply = ask({{"type", "dance"}, {"id", 7}});
  EXPECT_EQ(reply["type"], "error");
  EXPECT_EQ(reply["id"], 7);
  EXPECT_NE(reply["message"].get<std::string>().find("dance"), std::string::npos);
  EXPECT_EQ(ask({{"id", 8}})["type"], "error");
  reply = ask({{"type", "open"}, {"id", 9}, {"ordinal", "first"}});
  EXPECT_NE(reply["message"].get<std::string>().find("'ordinal'"), std::string::npos);
  EXPECT_EQ(ask({{"type", "open"}, {"id", 9}, {"ordinal", 7}})["type"], "error");
  EXPECT_EQ(Open()["type"], "open_reply");
  const auto early = RunTrial(Trial(""));
  EXPECT_EQ((*early)["type"], "error");
  EXPECT_EQ((*early)["id"], 3);
  EXPECT_EQ(Prepare()["type"], "prepare_reply");
  EXPECT_EQ((*RunTrial(Trial("")))["outcome"], "correct");
}

TEST_F(RunnerOnFake, LostFramingEndsTheRunner) {
  Start();
  runner_->SendBytes(std::string("\xff\xff\xff\xff", 4));
  const auto reply = runner_->Receive();
  ASSERT_TRUE(reply);
  EXPECT_EQ((*reply)["type"], "error");
  EXPECT_EQ(runner_->Wait(), 1);
}

TEST_F(RunnerOnFake, EndsWhenTheEngineIsGone) {
  StartPrepared();
  runner_->CloseRequests();
  EXPECT_FALSE(runner_->Receive());
  EXPECT_EQ(runner_->Wait(), 0);
}

TEST_F(RunnerOnFake, HeuristicsWithoutABaseline) {
  StartPrepared();
  const auto reply = protocol::DecodeHeuristicsReply(
      *runner_->Ask(protocol::WithId(protocol::Encode(HeuristicsRequest{}), 4)));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_NE(reply->problem, "");
}

}  // namespace
}  // namespace croq::runner
