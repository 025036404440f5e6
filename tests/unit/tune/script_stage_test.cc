#include "croq/tune/script_stage.h"

#include <gtest/gtest.h>

#include <deque>
#include <nlohmann/json.hpp>

#include "unit/tune/tune_fixture.h"

namespace croq::tune {
namespace {

class ScriptStageTest : public TuneTest {
 protected:
  ScriptStageTest() : session_(MakeSession()) {}

  /// The stage of iter001, with croq's own timings one after another.
  ScriptStage RunWith(std::deque<double> croq_ms) {
    Must(WriteCommands(session_, 1, "fake_1_1"));
    ScriptStage stage = Must(RunTimingScript(session_, 1, [&]() -> Result<ContractTiming> {
      const double ms = croq_ms.front();
      if (croq_ms.size() > 1)
        croq_ms.pop_front();
      return ContractTiming{Outcome::kCorrect, "", ms};
    }));
    return stage;
  }

  /// Reports one run whose script printed `script_ms` where croq measured `croq_ms`.
  void Report(double script_ms, double croq_ms) {
    ScriptStage stage;
    stage.output.timing = contract::PrintedTiming{Tflops(shape_.Flops(), script_ms), script_ms};
    stage.before_ms = croq_ms;
    stage.after_ms = croq_ms;
    ReportAgreement(session_, "iter001_fake", stage);
  }

  Session session_;
};

TEST_F(ScriptStageTest, WritesTheThreeScriptsAndMakesTheirFolders) {
  Must(WriteCommands(session_, 1, "fake_1_1"));
  for (const auto& script : {paths_.BuildScript(1), paths_.RunScript(1), paths_.ProfileScript(1)}) {
    const std::string text = Must(ReadFile(script));
    EXPECT_NE(text.find("iter001_fake_1_1.py"), std::string::npos) << script;
    EXPECT_NE(text.find("/opt/croq/bin"), std::string::npos) << script;
  }
  EXPECT_TRUE(std::filesystem::is_directory(paths_.Sources()));
  EXPECT_TRUE(std::filesystem::is_directory(paths_.Performance()));
}

TEST_F(ScriptStageTest, KeepsWhatTheBuildPrinted) {
  Must(WriteCommands(session_, 1, "fake_1_1"));
  scripts_->builds.push_back(FakeScriptHost::Failed("exit 1", "SyntaxError\n"));
  const ScriptRun run = Must(RunBuildScript(session_, 1));
  EXPECT_FALSE(run.succeeded);
  EXPECT_EQ(Must(ReadFile(paths_.BuildLog(1))), "SyntaxError\n");
}

TEST_F(ScriptStageTest, ASteadyClockNeedsOneRun) {
  const ScriptStage stage = RunWith({1.00, 1.02});
  EXPECT_EQ(scripts_->ran, std::vector<std::string>{"run_iter001"});
  EXPECT_DOUBLE_EQ(stage.before_ms, 1.00);
  EXPECT_DOUBLE_EQ(stage.after_ms, 1.02);
  ASSERT_TRUE(stage.output.timing);
}

TEST_F(ScriptStageTest, AClockThatMovedMakesItRunAgain) {
  const ScriptStage stage = RunWith({1.00, 1.10, 1.10, 1.11});
  EXPECT_EQ(scripts_->ran.size(), 2u);
  EXPECT_DOUBLE_EQ(stage.before_ms, 1.10);
  EXPECT_DOUBLE_EQ(stage.after_ms, 1.11);
}

TEST_F(ScriptStageTest, ARestlessClockIsNotWaitedForEver) {
  RunWith({1.0, 1.2, 1.0, 1.2, 1.0, 1.2, 1.0, 1.2, 1.0, 1.2});
  EXPECT_EQ(scripts_->ran.size(), 3u);
}

TEST_F(ScriptStageTest, AFailedScriptIsNotTimedAgain) {
  scripts_->runs.push_back(FakeScriptHost::Failed("exit 1: CUDA error"));
  const ScriptStage stage = RunWith({1.0, 2.0});
  EXPECT_FALSE(stage.run.succeeded);
  EXPECT_EQ(scripts_->ran.size(), 1u);
}

TEST_F(ScriptStageTest, ADeviceThatCannotBeTimedIsAnError) {
  Must(WriteCommands(session_, 1, "fake_1_1"));
  const auto stage =
      RunTimingScript(session_, 1, []() -> Result<ContractTiming> {
        return Failure("the GPU is gone");
      });
  ASSERT_FALSE(stage);
  EXPECT_EQ(stage.error().message, "the GPU is gone");
}

TEST_F(ScriptStageTest, ACandidateAtFaultBeforeTheScriptIsNotRun) {
  Must(WriteCommands(session_, 1, "fake_1_1"));
  const ScriptStage stage = Must(RunTimingScript(session_, 1, []() -> Result<ContractTiming> {
    return ContractTiming{Outcome::kRuntime, "illegal address", 0};
  }));
  EXPECT_EQ(stage.outcome, Outcome::kRuntime);
  EXPECT_EQ(stage.reason, "illegal address");
  EXPECT_TRUE(scripts_->ran.empty());
}

TEST_F(ScriptStageTest, ACandidateAtFaultAfterTheScriptIsData) {
  Must(WriteCommands(session_, 1, "fake_1_1"));
  int calls = 0;
  const ScriptStage stage = Must(RunTimingScript(session_, 1, [&]() -> Result<ContractTiming> {
    if (++calls == 1)
      return ContractTiming{Outcome::kCorrect, "", 1};
    return ContractTiming{Outcome::kTimeout, "no end", 0};
  }));
  EXPECT_EQ(stage.outcome, Outcome::kTimeout);
  EXPECT_EQ(scripts_->ran.size(), 1u);
}

TEST_F(ScriptStageTest, AgreementIsAnEventAndNoWarning) {
  Report(1.04, 1.0);
  const nlohmann::json event = observer_->Of("script").at(0);
  EXPECT_EQ(event.at("iteration"), "iter001_fake");
  EXPECT_DOUBLE_EQ(event.at("script_tflops").get<double>(), Tflops(shape_.Flops(), 1.04));
  EXPECT_DOUBLE_EQ(event.at("croq_tflops").get<double>(), Tflops(shape_.Flops(), 1.0));
  EXPECT_NEAR(event.at("difference").get<double>(), 0.0385, 1e-4);
  EXPECT_TRUE(observer_->Of("warning").empty());
}

TEST_F(ScriptStageTest, OverFivePercentApartIsAWarning) {
  Report(1.06, 1.0);
  EXPECT_EQ(observer_->Of("warning").size(), 1u);
  Report(1.0, 1.06);
  EXPECT_EQ(observer_->Of("warning").size(), 2u);
  EXPECT_NE(observer_->Messages("warning").find("5.7% apart"), std::string::npos)
      << observer_->Messages("warning");
}

TEST_F(ScriptStageTest, AKernelAsShortAsItsLaunchMayDisagree) {
  Report(0.08, 0.04);
  EXPECT_EQ(observer_->Of("script").size(), 1u);
  EXPECT_TRUE(observer_->Of("warning").empty());
}

TEST_F(ScriptStageTest, AScriptThatPrintedNoTimeIsNotCompared) {
  ReportAgreement(session_, "iter001_fake", ScriptStage{});
  EXPECT_TRUE(observer_->events.empty());
}

}  // namespace
}  // namespace croq::tune
