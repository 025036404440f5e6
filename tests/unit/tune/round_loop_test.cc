#include "croq/tune/round_loop.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "unit/tune/tune_fixture.h"

namespace croq::tune {
namespace {

class RoundLoopTest : public TuneTest {
 protected:
  RoundLoopTest() { StoreBaseline(); }

  /// One run, as a process of its own makes it.
  RunSummary Run(const Budget& budget, std::int64_t used_trials = 0) {
    Session session = MakeSession();
    RoundLoop loop(session, WorkFolder());
    Must(loop.Restore());
    return Must(loop.Run(budget, used_trials, 0));
  }

  static Budget Rounds(int rounds) { return {rounds, 0, 0}; }
  static Budget Trials(std::int64_t trials) { return {0, trials, 0}; }
};

TEST_F(RoundLoopTest, ARoundScreensAndWritesTheFastest) {
  Propose({2.0, 1.0, 3.0});
  const RunSummary summary = Run(Rounds(1));
  EXPECT_EQ(summary.ended_by, "rounds");
  EXPECT_FALSE(summary.interrupted);
  EXPECT_EQ(summary.trials, 3);
  EXPECT_EQ(summary.correct_trials, 3);
  ASSERT_TRUE(summary.best);
  EXPECT_EQ(summary.best->number, 1);
  EXPECT_EQ(summary.best->config, FakeConfig(2).Text());
  EXPECT_EQ(observer_->Of("round").size(), 1u);
  EXPECT_EQ(observer_->Of("iteration").size(), 1u);
}

TEST_F(RoundLoopTest, FinalistsLieWithinFivePercentOfTheFastest) {
  Propose({1.00, 1.06, 1.04});
  Run(Rounds(1));
  const std::vector<std::string> expected{FakeConfig(1).Text(), FakeConfig(3).Text()};
  EXPECT_EQ(evaluator_->settled.at(0), expected);
}

TEST_F(RoundLoopTest, FinalistsAreTheFastestFive) {
  Propose({1.00, 1.04, 1.045, 1.01, 1.02, 1.03, 1.035});
  Run(Rounds(1));
  const std::vector<std::string> expected{FakeConfig(1).Text(), FakeConfig(4).Text(),
                                          FakeConfig(5).Text(), FakeConfig(6).Text(),
                                          FakeConfig(7).Text()};
  EXPECT_EQ(evaluator_->settled.at(0), expected);
}

TEST_F(RoundLoopTest, EachRoundWritesAnotherKernelAgainstTheBest) {
  Propose({1.0, 1.5, 2.0});
  Run(Rounds(2));
  using Pair = std::pair<std::string, std::string>;
  const std::vector<Pair> expected{{FakeConfig(1).Text(), ""},
                                   {FakeConfig(2).Text(), FakeConfig(1).Text()}};
  EXPECT_EQ(evaluator_->judged, expected);
  const std::vector<Iteration> iterations = StoredIterations();
  ASSERT_EQ(iterations.size(), 3u);
  EXPECT_EQ(iterations[1].decision, Decision::kKeep);
  EXPECT_EQ(iterations[2].decision, Decision::kDiscard);
  EXPECT_EQ(iterations[2].round, 2);
}

TEST_F(RoundLoopTest, ADiscardedKernelDoesNotBecomeTheBest) {
  Propose({1.0, 1.5, 1.6});
  Run(Rounds(3));
  EXPECT_EQ(evaluator_->judged.at(2).second, FakeConfig(1).Text());
}

TEST_F(RoundLoopTest, ATrialBudgetIsKeptToTheTrial) {
  Propose(std::vector<double>(50, 1.0));
  const RunSummary summary = Run(Trials(10));
  EXPECT_EQ(summary.trials, 10);
  EXPECT_EQ(summary.ended_by, "trials");
  EXPECT_TRUE(summary.best);
}

TEST_F(RoundLoopTest, WhatAnInterruptedRunUsedIsNotSpentAgain) {
  Propose(std::vector<double>(50, 1.0));
  EXPECT_EQ(Run(Trials(10), 7).trials, 3);
}

TEST_F(RoundLoopTest, AnExhaustedSpaceEndsTheRun) {
  Propose({1.0, 2.0});
  const RunSummary summary = Run(Trials(1000));
  EXPECT_EQ(summary.ended_by, "space exhausted");
  EXPECT_EQ(summary.trials, 2);
  EXPECT_EQ(StoredIterations().size(), 3u);  // both became one
}

TEST_F(RoundLoopTest, AnExhaustedSpaceStillOffersWhatWasFoundAfterAnAttempt) {
  Propose({1.0, 2.0});
  scripts_->runs.push_back(FakeScriptHost::Ended("VERIFY: FAIL max_abs_err=1\n"));
  const RunSummary summary = Run(Trials(1000));
  EXPECT_EQ(StoredAttempts().size(), 1u);
  ASSERT_TRUE(summary.best);
  EXPECT_EQ(summary.best->config, FakeConfig(2).Text());
}

TEST_F(RoundLoopTest, AnEmptySpaceEndsAtOnce) {
  const RunSummary summary = Run(Rounds(5));
  EXPECT_EQ(summary.ended_by, "space exhausted");
  EXPECT_EQ(summary.trials, 0);
  EXPECT_FALSE(summary.best);
}

TEST_F(RoundLoopTest, AnInterruptStoresTheTrialsAndSkipsTheClosing) {
  Propose({1.0, 2.0, 3.0});
  evaluator_->on_screen = [this, trials = 0](const Candidate&) mutable {
    if (++trials == 2)
      interrupted_ = true;
  };
  const RunSummary summary = Run(Rounds(3));
  EXPECT_TRUE(summary.interrupted);
  EXPECT_EQ(summary.ended_by, "interrupt");
  EXPECT_EQ(summary.trials, 2);
  EXPECT_TRUE(evaluator_->settled.empty());
  EXPECT_TRUE(scripts_->ran.empty());
  EXPECT_EQ(StoredTrials().size(), 2u);
  EXPECT_FALSE(summary.best);
}

TEST_F(RoundLoopTest, ARejectedFinalistGivesWayToTheNext) {
  Propose({1.0, 2.0});
  evaluator_->rejects[FakeConfig(1).Text()] = Outcome::kCorrectness;
  const RunSummary summary = Run(Rounds(1));
  ASSERT_TRUE(summary.best);
  EXPECT_EQ(summary.best->config, FakeConfig(2).Text());
  const std::string warning = observer_->Messages("warning");
  EXPECT_NE(warning.find(FakeConfig(1).Text()), std::string::npos);
  EXPECT_NE(warning.find("correctness"), std::string::npos);
}

TEST_F(RoundLoopTest, ARunWhoseFinalistsAreAllRejectedEndsWithoutAKernel) {
  Propose({1.0, 1.01, 2.0});
  for (int code = 1; code <= 3; ++code) {
    evaluator_->rejects[FakeConfig(code).Text()] = Outcome::kCorrectness;
  }
  const RunSummary summary = Run(Rounds(4));
  EXPECT_EQ(summary.ended_by, "space exhausted");
  EXPECT_FALSE(summary.best);
  EXPECT_TRUE(evaluator_->judged.empty());
  EXPECT_TRUE(scripts_->ran.empty());
  EXPECT_EQ(StoredIterations().size(), 1u);
}

// It was screened on one input set; the search must not go on around it.
TEST_F(RoundLoopTest, TheStrategyLearnsThatAFinalistWasRejected) {
  Propose({1.0, 2.0});
  evaluator_->rejects[FakeConfig(1).Text()] = Outcome::kCorrectness;
  Run(Rounds(1));
  const ScriptedStrategy::Observation expected{FakeConfig(1).Text(), Outcome::kCorrectness, 0};
  EXPECT_EQ(strategy_->observed.back(), expected);
}

TEST_F(RoundLoopTest, RoundsAreNumberedOnFromTheLastRun) {
  Propose({1.0});
  Run(Rounds(1));
  Restart();
  strategy_->proposals = {FakeConfig(5)};
  Run(Rounds(1));
  EXPECT_EQ(observer_->Of("round").at(0).at("round"), 2);
  EXPECT_EQ(StoredTrials().back().round, 2);
}

TEST_F(RoundLoopTest, TimesTheBestAgainAndRecordsIt) {
  StoreKept(FakeConfig(3));
  evaluator_->times[FakeConfig(3).Text()] = 0.5;
  Session session = MakeSession();
  RoundLoop loop(session, WorkFolder());
  Must(loop.Restore());
  Must(loop.TimeBestAgain());
  const nlohmann::json fact = Must(journal_->Fact("best_timed_again")).value();
  EXPECT_EQ(fact.at("config"), FakeConfig(3).Text());
  EXPECT_EQ(fact.at("time_ms"), 0.5);
  EXPECT_NE(observer_->Messages("note").find("0.5000 ms"), std::string::npos);
}

TEST_F(RoundLoopTest, ABestThatHangsWhenTimedAgainIsNoLongerTheOneToBeat) {
  StoreKept(FakeConfig(3));
  Session session = MakeSession();
  RoundLoop loop(session, WorkFolder());
  Must(loop.Restore());
  evaluator_->contract_time = [](const Candidate&) {
    return ContractTiming{Outcome::kTimeout, "no end", 0};
  };
  Must(loop.TimeBestAgain());
  EXPECT_NE(observer_->Messages("warning").find("no end"), std::string::npos);
  EXPECT_FALSE(Must(journal_->Fact("best_timed_again")));
}

TEST_F(RoundLoopTest, WarmProposesAheadWithoutATrial) {
  Propose({1.0, 2.0});
  Session session = MakeSession();
  RoundLoop loop(session, WorkFolder());
  Must(loop.Warm({}));
  EXPECT_EQ(builder_->submitted.size(), 2u);
  EXPECT_EQ(loop.screening().trials(), 0);
  EXPECT_EQ(Must(loop.Run(Rounds(1), 0, 0)).trials, 2);
}

}  // namespace
}  // namespace croq::tune
