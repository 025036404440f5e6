#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "croq/tune/round_loop.h"
#include "unit/tune/tune_fixture.h"

namespace croq::tune {
namespace {

/// What a run takes up of an earlier one.
class RestoreTest : public TuneTest {
 protected:
  RestoreTest() { StoreBaseline(); }

  void Begin(const Config& config, int round = 2) {
    Must(journal_->BeginIteration(FakeFactory::TagOf(config), config.Text(), round));
  }

  /// A new process that restores and, with a budget, runs.
  void RestoreAndRun(const Budget& budget = {}) {
    Session session = MakeSession();
    RoundLoop loop(session, WorkFolder());
    Must(loop.Restore());
    if (budget.rounds > 0)
      Must(loop.Run(budget, 0, 0));
  }
};

TEST_F(RestoreTest, AnOpenIterationKeepsItsNumber) {
  StoreKept(FakeConfig(1));
  Begin(FakeConfig(2), 4);
  Restart();
  evaluator_->times[FakeConfig(2).Text()] = 0.5;
  RestoreAndRun();
  const std::vector<Iteration> iterations = StoredIterations();
  ASSERT_EQ(iterations.size(), 3u);
  EXPECT_EQ(iterations[2].number, 2);
  EXPECT_EQ(iterations[2].config, FakeConfig(2).Text());
  EXPECT_EQ(iterations[2].round, 4);
  EXPECT_EQ(iterations[2].decision, Decision::kKeep);
  EXPECT_TRUE(std::filesystem::exists(paths_.Source("iter002_fake_2_1")));
}

TEST_F(RestoreTest, AnOpenIterationThatHangsInTheContractRegimeDoesNotBlockTheSession) {
  Begin(FakeConfig(1));
  Restart();
  evaluator_->contract_time = [](const Candidate& candidate) {
    if (candidate.config == FakeConfig(1))
      return ContractTiming{Outcome::kTimeout, "no end", 0};
    return ContractTiming{Outcome::kCorrect, "", 1};
  };
  RestoreAndRun();
  EXPECT_EQ(StoredAttempts().size(), 1u);
  EXPECT_FALSE(Must(journal_->FindOpenIteration()));
}

TEST_F(RestoreTest, AnOpenIterationIsJudgedAgainstTheRestoredBest) {
  StoreKept(FakeConfig(1));
  Begin(FakeConfig(2));
  Restart();
  RestoreAndRun();
  ASSERT_EQ(evaluator_->judged.size(), 1u);
  EXPECT_EQ(evaluator_->judged[0].second, FakeConfig(1).Text());
}

TEST_F(RestoreTest, AKernelKeptOnRestoringIsTheBestFromThenOn) {
  StoreKept(FakeConfig(1));
  Begin(FakeConfig(2));
  Restart();
  evaluator_->times[FakeConfig(2).Text()] = 0.5;
  strategy_->proposals = {FakeConfig(3)};
  RestoreAndRun({1, 0, 0});
  EXPECT_EQ(evaluator_->judged.back().second, FakeConfig(2).Text());
}

TEST_F(RestoreTest, AnOpenIterationThatDoesNotBuildAnyMoreBecomesAnAttempt) {
  Begin(FakeConfig(2));
  Restart();
  builder_->shape = [](const CompileJob&, BuildResult& result) {
    result.outcome = Outcome::kCompile;
    result.reason = "a newer Triton refuses it";
  };
  RestoreAndRun();
  EXPECT_FALSE(Must(journal_->FindOpenIteration()));
  ASSERT_EQ(StoredAttempts().size(), 1u);
  EXPECT_EQ(StoredAttempts()[0].outcome, Outcome::kCompile);
  EXPECT_EQ(StoredIterations().size(), 1u);
  EXPECT_NE(observer_->Messages("warning").find("a newer Triton refuses it"), std::string::npos);
}

TEST_F(RestoreTest, AnOpenBaselineIsLeftToItsOwnStage) {
  info_.model = "another";
  paths_.model = "another";
  Restart();
  Must(journal_->BeginIteration("torch_matmul", "torch.matmul", 0));
  RestoreAndRun();
  const auto open = Must(journal_->FindOpenIteration());
  ASSERT_TRUE(open);
  EXPECT_EQ(open->number, 0);
}

TEST_F(RestoreTest, TheBestIsBuiltAndTimedAndIsWhatIsToBeBeaten) {
  StoreKept(FakeConfig(1));
  Restart();
  evaluator_->times[FakeConfig(1).Text()] = 0.75;
  strategy_->proposals = {FakeConfig(2)};
  RestoreAndRun({1, 0, 0});
  EXPECT_EQ(evaluator_->incumbents.back(), 0.75);
  EXPECT_EQ(evaluator_->judged.at(0).second, FakeConfig(1).Text());
}

TEST_F(RestoreTest, ABestThatDoesNotBuildAnyMoreIsAWarning) {
  StoreKept(FakeConfig(1));
  Restart();
  builder_->shape = [](const CompileJob& job, BuildResult& result) {
    if (job.parameters[0].value.integer == 1)
      result.outcome = Outcome::kCompile;
  };
  strategy_->proposals = {FakeConfig(2)};
  RestoreAndRun({1, 0, 0});
  EXPECT_NE(observer_->Messages("warning").find("does not build any more"), std::string::npos);
  EXPECT_EQ(evaluator_->judged.at(0).second, "");
  EXPECT_EQ(StoredIterations().back().decision, Decision::kKeep);
}

TEST_F(RestoreTest, RunnersUpOfAnEarlierRunAreScreenedAgainAndMayWin) {
  StoreTrial(FakeConfig(1), 3.0);
  StoreTrial(FakeConfig(2), 2.0);
  StoreTrial(FakeConfig(3), 1.0, Outcome::kCorrectness);
  Restart();
  evaluator_->times[FakeConfig(2).Text()] = 2.0;
  evaluator_->times[FakeConfig(1).Text()] = 1.5;  // faster than it seemed
  RestoreAndRun({1, 0, 0});
  EXPECT_EQ(evaluator_->screened,
            (std::vector<std::string>{FakeConfig(2).Text(), FakeConfig(1).Text()}));
  EXPECT_EQ(evaluator_->judged.at(0).first, FakeConfig(1).Text());
}

TEST_F(RestoreTest, OnlyAFewRunnersUpAreBuiltAgain) {
  for (int code = 1; code <= 40; ++code) StoreTrial(FakeConfig(code), 1.0 + code);
  Restart();
  RestoreAndRun();
  EXPECT_EQ(evaluator_->screened.size(), 8u);
  EXPECT_EQ(evaluator_->screened.front(), FakeConfig(1).Text());
}

TEST_F(RestoreTest, ARunnerUpThatFailsNowIsNoFinalist) {
  StoreTrial(FakeConfig(1), 1.0);
  Restart();
  evaluator_->fails[FakeConfig(1).Text()] = Outcome::kCorrectness;
  RestoreAndRun({1, 0, 0});
  EXPECT_TRUE(evaluator_->settled.empty());
  EXPECT_FALSE(std::filesystem::exists(builder_->CubinOf("kernel0_1")));
}

TEST_F(RestoreTest, WhatBecameAnIterationIsNotWrittenAgain) {
  StoreTrial(FakeConfig(1), 1.0);
  StoreKept(FakeConfig(1));
  Restart();
  RestoreAndRun({1, 0, 0});
  EXPECT_TRUE(evaluator_->judged.empty());
}

TEST_F(RestoreTest, WhatBecameAnAttemptIsNotWrittenAgain) {
  StoreTrial(FakeConfig(1), 1.0);
  Begin(FakeConfig(1));
  Attempt attempt;
  attempt.outcome = Outcome::kCorrectness;
  Must(journal_->AbandonIteration(1, attempt));
  Restart();
  RestoreAndRun({1, 0, 0});
  EXPECT_TRUE(evaluator_->judged.empty());
}

TEST_F(RestoreTest, ARunThatDiedWhileItWroteIsTakenUpByTheNext) {
  Propose({1.0, 2.0});
  evaluator_->judge_error = "the GPU is gone";
  {
    Session session = MakeSession();
    RoundLoop loop(session, WorkFolder());
    Must(loop.Restore());
    ASSERT_FALSE(loop.Run({1, 0, 0}, 0, 0));
  }
  Restart();
  RestoreAndRun();
  const std::vector<Iteration> iterations = StoredIterations();
  ASSERT_EQ(iterations.size(), 2u);
  EXPECT_EQ(iterations[1].number, 1);
  EXPECT_EQ(iterations[1].config, FakeConfig(1).Text());
}

}  // namespace
}  // namespace croq::tune
