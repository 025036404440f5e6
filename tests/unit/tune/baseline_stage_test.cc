#include "croq/tune/baseline_stage.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/fake_runner.h"
#include "unit/tune/tune_fixture.h"

namespace croq::tune {
namespace {

using croq::testing::FakeRunner;

class BaselineStageTest : public TuneTest {
 protected:
  BaselineStageTest() : session_(MakeSession()) {
    bars_.cold_ms = 1.1;
    bars_.contract_ms = 1;
    bars_.kernel = "nvjet_hsh_128x256";
    scripts_->kernels = bars_.kernel;
  }

  Session session_;
  FakeRunner runner_;
  Baseline bars_;
};

TEST_F(BaselineStageTest, BarsAreTheLibraryInBothRegimesAndItsBestHeuristic) {
  runner_.heuristics.tried = 8;
  runner_.heuristics.best = 3;
  runner_.heuristics.best_ms = 0.9;
  PrepareReply prepared;
  prepared.baseline_kernel = "nvjet";
  const Baseline bars = Must(MeasureBars(runner_, prepared));
  EXPECT_DOUBLE_EQ(bars.cold_ms, 1.1);
  EXPECT_DOUBLE_EQ(bars.contract_ms, 1);
  EXPECT_EQ(bars.kernel, "nvjet");
  EXPECT_DOUBLE_EQ(bars.heuristic_ms, 0.9);
  EXPECT_EQ(bars.heuristic, 3);
  EXPECT_EQ(bars.heuristics_tried, 8);
  for (const TimeRequest& request : runner_.times) {
    EXPECT_EQ(request.subject, DuelReference::kCublas);
  }
}

TEST_F(BaselineStageTest, AMissingLibraryIsNoError) {
  PrepareReply prepared;
  prepared.baseline_problem = "libcublas.so.13 was not found";
  const Baseline bars = Must(MeasureBars(runner_, prepared));
  EXPECT_EQ(bars.problem, "libcublas.so.13 was not found");
  EXPECT_DOUBLE_EQ(bars.cold_ms, 0);
  EXPECT_TRUE(runner_.times.empty());
}

TEST_F(BaselineStageTest, HeuristicsThatCannotBeFoundAreLeftOut) {
  runner_.heuristics.problem = "no heuristics for f32";
  runner_.heuristics.best_ms = 5;
  const Baseline bars = Must(MeasureBars(runner_, PrepareReply{}));
  EXPECT_DOUBLE_EQ(bars.heuristic_ms, 0);
  EXPECT_DOUBLE_EQ(bars.cold_ms, 1.1);
}

TEST_F(BaselineStageTest, ALibraryThatCannotBeTimedIsAnError) {
  runner_.on_time = [](const TimeRequest&) {
    TimeReply reply;
    reply.outcome = Outcome::kRuntime;
    reply.reason = "out of memory";
    return reply;
  };
  const auto bars = MeasureBars(runner_, PrepareReply{});
  ASSERT_FALSE(bars);
  EXPECT_NE(bars.error().message.find("out of memory"), std::string::npos);
}

TEST_F(BaselineStageTest, WritesIter000) {
  Must(WriteBaseline(session_, &runner_, bars_, false));
  const std::optional<Iteration> stored = Must(journal_->read().FindIteration(0));
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->Name(), "iter000_torch_matmul");
  EXPECT_EQ(stored->config, "torch.matmul");
  EXPECT_EQ(stored->decision, Decision::kNone);
  EXPECT_DOUBLE_EQ(stored->time_ms, 1);
  EXPECT_DOUBLE_EQ(stored->tflops, Tflops(shape_.Flops(), 1));
  EXPECT_DOUBLE_EQ(stored->cold_ms, 1.1);
  EXPECT_NEAR(stored->script_tflops, Tflops(shape_.Flops(), 1), 0.01);
  EXPECT_TRUE(stored->verified);
  EXPECT_EQ(scripts_->ran, (std::vector<std::string>{"build_iter000", "run_iter000"}));
  EXPECT_FALSE(scripts_->missing_files);
  EXPECT_EQ(Must(ReadFile(paths_.Source("iter000_torch_matmul"))), "# torch.matmul\n");
  EXPECT_EQ(observer_->Of("baseline").size(), 1u);
  EXPECT_EQ(observer_->Messages("warning"), "");
}

TEST_F(BaselineStageTest, AnotherKernelThanTorchLaunchesIsAWarning) {
  scripts_->kernels = "cutlass_80_tensorop, splitk_reduce";
  Must(WriteBaseline(session_, &runner_, bars_, false));
  const std::string warning = observer_->Messages("warning");
  EXPECT_NE(warning.find("cutlass_80_tensorop, splitk_reduce"), std::string::npos);
  EXPECT_NE(warning.find("nvjet_hsh_128x256"), std::string::npos);
}

TEST_F(BaselineStageTest, TheSameKernelAmongSeveralIsNoWarning) {
  scripts_->kernels = "nvjet_hsh_128x256, splitk_reduce";
  Must(WriteBaseline(session_, &runner_, bars_, false));
  EXPECT_EQ(observer_->Messages("warning"), "");
}

TEST_F(BaselineStageTest, AScriptThatDoesNotKnowItsKernelIsNotCompared) {
  scripts_->kernels = "unknown";
  Must(WriteBaseline(session_, &runner_, bars_, false));
  EXPECT_EQ(observer_->Messages("warning"), "");
}

TEST_F(BaselineStageTest, AFigureOverFivePercentApartIsAWarning) {
  scripts_->script_ms = 1.2;
  Must(WriteBaseline(session_, &runner_, bars_, false));
  EXPECT_NE(observer_->Messages("warning").find("iter000_torch_matmul"), std::string::npos);
}

TEST_F(BaselineStageTest, WithoutAGpuItIsWrittenAndBuilt) {
  evaluator_->predicted = true;
  Must(WriteBaseline(session_, nullptr, bars_, false));
  EXPECT_EQ(scripts_->ran, std::vector<std::string>{"build_iter000"});
  const Iteration stored = Must(journal_->read().FindIteration(0)).value();
  EXPECT_TRUE(stored.predicted);
  EXPECT_DOUBLE_EQ(stored.tflops, 0);
  EXPECT_EQ(observer_->Of("baseline").at(0).at("predicted"), true);
}

TEST_F(BaselineStageTest, WithoutALibraryItIsWrittenAndNotRun) {
  bars_.problem = "libcublas.so.13 was not found";
  Must(WriteBaseline(session_, &runner_, bars_, false));
  EXPECT_EQ(scripts_->ran, std::vector<std::string>{"build_iter000"});
  EXPECT_TRUE(Must(journal_->read().FindIteration(0)));
}

TEST_F(BaselineStageTest, WhereItIsStoredNothingIsDone) {
  StoreBaseline();
  Must(WriteBaseline(session_, &runner_, bars_, false));
  EXPECT_TRUE(scripts_->ran.empty());
  EXPECT_TRUE(observer_->events.empty());
}

TEST_F(BaselineStageTest, AgainRunsItOnceMoreWithoutASecondRow) {
  Must(WriteBaseline(session_, &runner_, bars_, false));
  StoreKept(FakeConfig(1));
  scripts_->ran.clear();
  Must(WriteBaseline(session_, &runner_, bars_, true));
  EXPECT_EQ(scripts_->ran, (std::vector<std::string>{"build_iter000", "run_iter000"}));
  EXPECT_EQ(StoredIterations().size(), 2u);
  EXPECT_FALSE(Must(journal_->FindOpenIteration()));
  EXPECT_EQ(observer_->Of("baseline").size(), 2u);
  EXPECT_EQ(observer_->Of("baseline")[1].at("iteration"), "iter000_torch_matmul");
}

TEST_F(BaselineStageTest, AKilledRunsIter000IsTakenUpAgain) {
  Must(journal_->BeginIteration("torch_matmul", "torch.matmul", 0));
  Restart();
  Session session = MakeSession();
  Must(WriteBaseline(session, &runner_, bars_, false));
  EXPECT_EQ(StoredIterations().size(), 1u);
  EXPECT_EQ(StoredIterations()[0].number, 0);
}

TEST_F(BaselineStageTest, ABaselineThatDoesNotRunIsAnErrorThatNamesItsLog) {
  scripts_->runs.push_back(FakeScriptHost::Failed("exit 1: no CUDA"));
  const Status written = WriteBaseline(session_, &runner_, bars_, false);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("exit 1: no CUDA"), std::string::npos);
  EXPECT_NE(written.error().message.find(paths_.TimingLog(0).string()), std::string::npos);
}

TEST_F(BaselineStageTest, ABaselineThatDoesNotBuildIsAnErrorThatNamesItsLog) {
  scripts_->builds.push_back(FakeScriptHost::Failed("exit 1: no torch"));
  const Status written = WriteBaseline(session_, &runner_, bars_, false);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find(paths_.BuildLog(0).string()), std::string::npos);
}

TEST_F(BaselineStageTest, ItsScriptIsJudgedAsTheBaseline) {
  Must(WriteBaseline(session_, &runner_, bars_, false));
  ASSERT_EQ(rules_.asked.size(), 1u);
  EXPECT_EQ(rules_.asked[0].second, 0);
  rules_.marker = "torch.matmul";
  const Status again = WriteBaseline(session_, &runner_, bars_, true);
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("iter000 breaks the purity rule: E102"), std::string::npos);
}

}  // namespace
}  // namespace croq::tune
