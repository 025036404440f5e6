#include "croq/tune/screening.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "unit/tune/tune_fixture.h"

namespace croq::tune {
namespace {

class ScreeningTest : public TuneTest {
 protected:
  ScreeningTest()
      : session_(MakeSession()),
        pipeline_(factory_, *builder_, WorkFolder() / "src"),
        screening_(session_, pipeline_) {}

  void Run(std::int64_t trials = 0, int round = 1) {
    Must(screening_.Run(round, ScreenLimits{trials, 0}));
  }

  Session session_;
  Pipeline pipeline_;
  Screening screening_;
};

TEST_F(ScreeningTest, ScreensEveryProposalAndThenTheSpaceIsExhausted) {
  Propose({2.0, 1.0, 3.0});
  Run();
  EXPECT_TRUE(screening_.Exhausted());
  EXPECT_EQ(screening_.trials(), 3);
  EXPECT_EQ(screening_.correct(), 3);
  EXPECT_EQ(screening_.board().Best()->config, FakeConfig(2));
  EXPECT_DOUBLE_EQ(screening_.board().BestMillis(), 1.0);
}

TEST_F(ScreeningTest, EveryTrialIsAJournalRowWhenTheRoundEnds) {
  Propose({2.0});
  Run(0, 7);
  const std::vector<Trial> trials = StoredTrials();
  ASSERT_EQ(trials.size(), 1u);
  const Trial& trial = trials[0];
  EXPECT_EQ(trial.round, 7);
  EXPECT_EQ(trial.config, FakeConfig(1));
  EXPECT_EQ(trial.outcome, Outcome::kCorrect);
  EXPECT_EQ(trial.reason, "");
  EXPECT_DOUBLE_EQ(trial.time_ms, 2.0);
  EXPECT_DOUBLE_EQ(trial.max_abs_err, 1e-4);
  EXPECT_EQ(trial.build.registers, 64);
  EXPECT_EQ(trial.device_state, "1755 MHz");
  EXPECT_FALSE(trial.predicted);
}

TEST_F(ScreeningTest, PredictedTrialsSaySo) {
  evaluator_->predicted = true;
  Propose({2.0});
  Run();
  EXPECT_TRUE(StoredTrials().at(0).predicted);
  EXPECT_EQ(observer_->Of("trial").at(0).at("predicted"), true);
  EXPECT_TRUE(observer_->progress.back().predicted);
}

TEST_F(ScreeningTest, StopsAtTheLimitOfTrials) {
  Propose({1, 2, 3, 4, 5, 6});
  Run(2);
  EXPECT_EQ(screening_.trials(), 2);
  EXPECT_FALSE(screening_.Exhausted());
  EXPECT_EQ(StoredTrials().size(), 2u);
  Run(2);
  EXPECT_EQ(screening_.trials(), 4);
  EXPECT_EQ(screening_.board().Top(10, 100).size(), 4u);
}

TEST_F(ScreeningTest, ATimeLimitEndsItWithProposalsLeft) {
  Propose(std::vector<double>(200, 1.0));
  Must(screening_.Run(1, ScreenLimits{0, 1e-9}));
  EXPECT_FALSE(strategy_->proposals.empty());
  EXPECT_FALSE(screening_.Exhausted());
}

TEST_F(ScreeningTest, AnInterruptEndsItAfterTheTrialInFlight) {
  Propose({1, 2, 3, 4});
  evaluator_->on_screen = [this](const Candidate&) { interrupted_ = true; };
  Run();
  EXPECT_EQ(screening_.trials(), 1);
  EXPECT_EQ(StoredTrials().size(), 1u);
  EXPECT_FALSE(screening_.Exhausted());
}

TEST_F(ScreeningTest, TheStrategyObservesEachTrial) {
  Propose({2.0, 1.0});
  evaluator_->fails[FakeConfig(2).Text()] = Outcome::kCorrectness;
  Run();
  using Observation = ScriptedStrategy::Observation;
  const std::vector<Observation> expected{{FakeConfig(1).Text(), Outcome::kCorrect, 2.0},
                                          {FakeConfig(2).Text(), Outcome::kCorrectness, 0}};
  EXPECT_EQ(strategy_->observed, expected);
}

TEST_F(ScreeningTest, ACandidateThatDoesNotBuildIsATrialThatIsNotMeasured) {
  builder_->shape = [](const CompileJob&, BuildResult& result) {
    result.outcome = Outcome::kCompile;
    result.reason = "out of registers";
    result.log_path = "/logs/1.txt";
  };
  Propose({1.0});
  Run();
  EXPECT_TRUE(evaluator_->screened.empty());
  EXPECT_EQ(screening_.trials(), 1);
  EXPECT_EQ(screening_.correct(), 0);
  const Trial trial = StoredTrials().at(0);
  EXPECT_EQ(trial.outcome, Outcome::kCompile);
  EXPECT_EQ(trial.reason, "out of registers");
  EXPECT_EQ(trial.log, "/logs/1.txt");
  ASSERT_EQ(strategy_->observed.size(), 1u);
  EXPECT_EQ(strategy_->observed[0].outcome, Outcome::kCompile);
  const nlohmann::json event = observer_->Of("trial").at(0);
  EXPECT_EQ(event.at("outcome"), "compile");
  EXPECT_EQ(event.at("reason"), "out of registers");
  EXPECT_EQ(event.at("log"), "/logs/1.txt");
}

TEST_F(ScreeningTest, AWrongCandidateIsNoFinalistAndGivesUpItsCubin) {
  Propose({1.0});
  evaluator_->fails[FakeConfig(1).Text()] = Outcome::kCorrectness;
  Run();
  EXPECT_EQ(screening_.board().Best(), nullptr);
  EXPECT_EQ(screening_.correct(), 0);
  EXPECT_EQ(StoredTrials().at(0).reason, "screening says no");
  EXPECT_FALSE(std::filesystem::exists(builder_->CubinOf("kernel0_1")));
}

TEST_F(ScreeningTest, EqualLaunchPlansAreMeasuredOnceAndRecordedAsSuch) {
  const Config first{"fake", {{"CODE", 1}, {"NAME", "x"}}};
  const Config second{"fake", {{"CODE", 1}, {"NAME", "y"}}};
  evaluator_->times[first.Text()] = 2.0;
  evaluator_->times[second.Text()] = 9.0;
  strategy_->proposals = {first, second};
  Run();
  EXPECT_EQ(evaluator_->screened, std::vector<std::string>{first.Text()});
  EXPECT_EQ(screening_.trials(), 2);
  const std::vector<Trial> trials = StoredTrials();
  ASSERT_EQ(trials.size(), 2u);
  EXPECT_EQ(trials[1].config, second);
  EXPECT_DOUBLE_EQ(trials[1].time_ms, 2.0);
  EXPECT_EQ(trials[1].reason, "equal launch plan: measured as " + first.Text());
  EXPECT_DOUBLE_EQ(strategy_->observed.at(1).time_ms, 2.0);
  EXPECT_EQ(screening_.board().Top(10, 10).size(), 1u);
  EXPECT_TRUE(std::filesystem::exists(builder_->CubinOf("kernel0_1")));
}

TEST_F(ScreeningTest, EqualCodeOnAnotherGridIsMeasuredForItself) {
  strategy_->proposals = {FakeConfig(1, 132), FakeConfig(1, 264)};
  Run();
  EXPECT_EQ(evaluator_->screened.size(), 2u);
}

TEST_F(ScreeningTest, TheEvaluatorIsToldOfTheFastestSoFar) {
  Propose({2.0, 3.0, 1.0, 1.5});
  Run();
  EXPECT_EQ(evaluator_->incumbents, (std::vector<double>{0, 2.0, 2.0, 1.0}));
}

TEST_F(ScreeningTest, AWrongCandidateDoesNotBecomeTheIncumbent) {
  Propose({2.0, 3.0});
  evaluator_->fails[FakeConfig(1).Text()] = Outcome::kCorrectness;
  Run();
  EXPECT_EQ(evaluator_->incumbents, (std::vector<double>{0, 0}));
}

TEST_F(ScreeningTest, AnIncumbentOfAnEarlierRunCounts) {
  screening_.SetIncumbent(0.5, "fake CODE=99");
  Propose({2.0});
  Run();
  EXPECT_EQ(evaluator_->incumbents, std::vector<double>{0.5});
  EXPECT_EQ(observer_->progress.back().best, "fake CODE=99");
}

TEST_F(ScreeningTest, ConstraintRowsAreNoTrials) {
  Propose({1.0, 2.0});
  strategy_->on_propose = [this, times = 0]() mutable {
    if (++times == 2)
      screening_.RecordConstraint(FakeConfig(50), "300 KiB of shared memory");
  };
  Run(2, 3);
  EXPECT_EQ(screening_.trials(), 2);
  const std::vector<Trial> rows = StoredTrials();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].outcome, Outcome::kConstraints);
  EXPECT_EQ(rows[0].config, FakeConfig(50));
  EXPECT_EQ(rows[0].reason, "300 KiB of shared memory");
  EXPECT_EQ(rows[0].round, 3);
  EXPECT_EQ(observer_->Of("trial").size(), 2u);
}

TEST_F(ScreeningTest, TrialEventsSayWhatTheJournalHolds) {
  Propose({0.5});
  Run(0, 4);
  const nlohmann::json event = observer_->Of("trial").at(0);
  EXPECT_EQ(event.at("round"), 4);
  EXPECT_EQ(event.at("config"), FakeConfig(1).Text());
  EXPECT_EQ(event.at("outcome"), "correct");
  EXPECT_EQ(event.at("time_ms"), 0.5);
  EXPECT_DOUBLE_EQ(event.at("tflops").get<double>(), Tflops(shape_.Flops(), 0.5));
  EXPECT_EQ(event.at("registers"), 64);
  EXPECT_EQ(event.at("shared_bytes"), 1024);
  EXPECT_EQ(event.at("compile_ms"), 100.0);
  EXPECT_FALSE(event.contains("reason"));
  EXPECT_FALSE(event.contains("log"));
}

TEST_F(ScreeningTest, ProgressNamesTheBestAndItsShareOfCublas) {
  session_.baseline_ms = 1.5;
  screening_.SetSecondsLeft(1000);
  Propose({2.0, 1.0});
  Run(0, 2);
  const Progress& last = observer_->progress.back();
  EXPECT_EQ(last.phase, "round 2: screening");
  EXPECT_EQ(last.trials, 2);
  EXPECT_EQ(last.best, FakeConfig(2).Text());
  EXPECT_DOUBLE_EQ(last.best_tflops, Tflops(shape_.Flops(), 1.0));
  EXPECT_DOUBLE_EQ(last.share_of_cublas, 1.5);
  EXPECT_GE(last.seconds_left, 0);
  EXPECT_LE(last.seconds_left, 1000);
}

TEST_F(ScreeningTest, WithoutATimeBudgetNoSecondsAreLeft) {
  Propose({2.0});
  Run();
  EXPECT_LT(observer_->progress.back().seconds_left, 0);
}

TEST_F(ScreeningTest, FillAheadGoesBeyondTheBuildersCapacity) {
  Propose(std::vector<double>(30, 1.0));
  builder_->capacity = 2;
  Must(screening_.FillAhead());
  EXPECT_GT(pipeline_.InFlight(), 2);
  EXPECT_LT(pipeline_.InFlight(), 30);
  EXPECT_EQ(screening_.trials(), 0);
}

TEST_F(ScreeningTest, AnErrorEndsItWithTheTrialsBeforeItKept) {
  Propose({1.0});
  strategy_->proposals.push_back(Config{"fake", {{"CODE", 2}, {"RENDERS", 0}}});
  builder_->capacity = 1;
  const Status ran = screening_.Run(1, {});
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().message, "the template is broken");
  Must(journal_->Flush());
  EXPECT_EQ(StoredTrials().size(), 1u);
}

}  // namespace
}  // namespace croq::tune
