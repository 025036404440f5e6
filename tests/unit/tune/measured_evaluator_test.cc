#include "croq/tune/measured_evaluator.h"

#include <gtest/gtest.h>

#include "croq/measure/paired.h"
#include "support/fake_factory.h"
#include "support/fake_runner.h"
#include "unit/tune/tune_fixture.h"

namespace croq::tune {
namespace {

using croq::testing::DuelOf;
using croq::testing::FakeRunner;

/// The code that a plan launches.
std::string CodeOf(const LaunchPlan& plan) {
  return plan.kernels.at(0).cubin_fingerprint;
}

Candidate Make(const std::string& code) {
  Candidate candidate;
  candidate.config.variant = code;
  CompiledKernel kernel;
  kernel.cubin_fingerprint = code;
  candidate.plan.kernels = {kernel};
  return candidate;
}

TrialReply Wrong(const std::string& reason) {
  TrialReply reply;
  reply.outcome = Outcome::kCorrectness;
  reply.reason = reason;
  reply.check = Check{};
  reply.check->max_abs_err = 0.5;
  return reply;
}

class MeasuredEvaluatorTest : public ::testing::Test {
 protected:
  /// Every duel ends as if each code took its time in `millis_`, the library `library_ms_`.
  void SetDuels() {
    runner_.on_duel = [this](const DuelRequest& request) {
      const double reference = request.reference == DuelReference::kPlan
                                   ? millis_.at(CodeOf(request.reference_plan))
                                   : library_ms_;
      return DuelOf(millis_.at(CodeOf(request.candidate)), reference);
    };
  }

  FakeRunner runner_;
  MeasuredEvaluator evaluator_{runner_, true, true};
  std::map<std::string, double> millis_;
  double library_ms_ = 1;
  std::vector<Evaluator::Rejected> rejected_;
};

TEST_F(MeasuredEvaluatorTest, ScreeningReturnsWhatTheRunnerSaw) {
  runner_.on_trial = [](const TrialRequest&) {
    TrialReply reply;
    reply.check = Check{};
    reply.check->max_abs_err = 2e-4;
    reply.timing = Timing{};
    reply.timing->median_ms = 0.25;
    reply.timing->sm_clock_mhz = 1755;
    reply.timing->throttle_reasons = 0x20;
    reply.load_ms = 1;
    reply.check_ms = 2;
    reply.timing_ms = 4;
    return reply;
  };
  const Evaluation evaluation = Must(evaluator_.Screen(Make("x"), 0.2));
  EXPECT_EQ(evaluation.outcome, Outcome::kCorrect);
  EXPECT_DOUBLE_EQ(evaluation.time_ms, 0.25);
  EXPECT_DOUBLE_EQ(evaluation.max_abs_err, 2e-4);
  EXPECT_EQ(evaluation.device_state, "1755 MHz, throttle 0x20");
  EXPECT_EQ(evaluation.load_ms, 1);
  EXPECT_EQ(evaluation.check_ms, 2);
  EXPECT_EQ(evaluation.timing_ms, 4);
  EXPECT_EQ(CodeOf(runner_.trials.at(0).plan), "x");
  EXPECT_DOUBLE_EQ(runner_.trials[0].stop_above_ms, 0.25);
  EXPECT_NEAR(runner_.trials[0].halve_above_ms, 0.212, 1e-12);
  EXPECT_FALSE(runner_.trials[0].check_all_sets);
}

TEST_F(MeasuredEvaluatorTest, WithoutAnIncumbentNothingIsCutShort) {
  Must(evaluator_.Screen(Make("x"), 0));
  EXPECT_DOUBLE_EQ(runner_.trials.at(0).stop_above_ms, 0);
}

TEST_F(MeasuredEvaluatorTest, AFailedCandidateIsData) {
  runner_.on_trial = [](const TrialRequest&) { return Wrong("1024 elements are off"); };
  const Evaluation evaluation = Must(evaluator_.Screen(Make("x"), 0));
  EXPECT_EQ(evaluation.outcome, Outcome::kCorrectness);
  EXPECT_EQ(evaluation.reason, "1024 elements are off");
  EXPECT_DOUBLE_EQ(evaluation.time_ms, 0);
  EXPECT_DOUBLE_EQ(evaluation.max_abs_err, 0.5);
}

TEST_F(MeasuredEvaluatorTest, ADeviceThatIsLostIsAnError) {
  runner_.on_trial = [](const TrialRequest&) -> Result<TrialReply> {
    return Failure("the GPU fell off the bus");
  };
  EXPECT_FALSE(evaluator_.Screen(Make("x"), 0));
  EXPECT_FALSE(evaluator_.Settle({Make("x")}, rejected_));
  EXPECT_FALSE(evaluator_.Judge(Make("x"), nullptr));
}

TEST_F(MeasuredEvaluatorTest, FinalistsAreSettledByDuels) {
  millis_ = {{"a", 1.00}, {"b", 0.95}, {"c", 0.98}};
  SetDuels();
  const auto winner = Must(evaluator_.Settle({Make("a"), Make("b"), Make("c")}, rejected_));
  EXPECT_EQ(winner, std::optional<std::size_t>(1));
  EXPECT_TRUE(rejected_.empty());
  ASSERT_EQ(runner_.duels.size(), 2u);
  EXPECT_EQ(CodeOf(runner_.duels[1].candidate), "c");
  EXPECT_EQ(CodeOf(runner_.duels[1].reference_plan), "b");  // the leader by then
}

TEST_F(MeasuredEvaluatorTest, EachFinalistIsCheckedOnEveryInputSet) {
  millis_ = {{"a", 1}, {"b", 1}};
  SetDuels();
  Must(evaluator_.Settle({Make("a"), Make("b")}, rejected_));
  ASSERT_EQ(runner_.trials.size(), 2u);
  EXPECT_TRUE(runner_.trials[0].check_all_sets);
  EXPECT_TRUE(runner_.trials[1].check_all_sets);
}

TEST_F(MeasuredEvaluatorTest, AWrongFinalistNeverDuels) {
  millis_ = {{"a", 0.5}, {"b", 1}};
  SetDuels();
  runner_.on_trial = [](const TrialRequest& request) -> Result<TrialReply> {
    return CodeOf(request.plan) == "a" ? Wrong("wrong in set 3") : TrialReply{};
  };
  const auto winner = Must(evaluator_.Settle({Make("a"), Make("b")}, rejected_));
  EXPECT_EQ(winner, std::optional<std::size_t>(1));
  EXPECT_TRUE(runner_.duels.empty());
  ASSERT_EQ(rejected_.size(), 1u);
  EXPECT_EQ(rejected_[0].index, 0u);
  EXPECT_EQ(rejected_[0].outcome, Outcome::kCorrectness);
  EXPECT_EQ(rejected_[0].reason, "wrong in set 3");
}

TEST_F(MeasuredEvaluatorTest, NoFinalistThatHoldsUpIsNoWinner) {
  runner_.on_trial = [](const TrialRequest&) { return Wrong("wrong"); };
  EXPECT_FALSE(Must(evaluator_.Settle({Make("a"), Make("b")}, rejected_)));
  EXPECT_EQ(rejected_.size(), 2u);
}

TEST_F(MeasuredEvaluatorTest, AFailedDuelRejectsTheFinalist) {
  runner_.on_duel = [](const DuelRequest&) {
    DuelReply reply;
    reply.outcome = Outcome::kTimeout;
    reply.reason = "a launch never ended";
    return reply;
  };
  const auto winner = Must(evaluator_.Settle({Make("a"), Make("b")}, rejected_));
  EXPECT_EQ(winner, std::optional<std::size_t>(0));
  ASSERT_EQ(rejected_.size(), 1u);
  EXPECT_EQ(rejected_[0].index, 1u);
  EXPECT_EQ(rejected_[0].outcome, Outcome::kTimeout);
}

TEST_F(MeasuredEvaluatorTest, OnceThereIsAFirstConfigurationItIsABarToo) {
  SetDuels();
  millis_ = {{"mine", 0.5}, {"first", 2}};
  MeasuredEvaluator brought(runner_, false, false);
  EXPECT_FALSE(Must(brought.Judge(Make("mine"), nullptr)).of_first.known());
  EXPECT_TRUE(runner_.duels.empty());
  brought.SetFirst(Make("first"), 2);
  const Standing standing = Must(brought.Judge(Make("mine"), nullptr));
  EXPECT_NEAR(standing.of_first.value, 4, 1e-3);
  EXPECT_FALSE(standing.of_baseline.known());
}

TEST_F(MeasuredEvaluatorTest, JudgePassesTheRatiosOfItsDuelsThrough) {
  millis_ = {{"a", 0.80}, {"best", 0.88}};
  library_ms_ = 1.0;
  SetDuels();
  const Candidate best = Make("best");
  const Standing standing = Must(evaluator_.Judge(Make("a"), &best));
  EXPECT_EQ(standing.outcome, Outcome::kCorrect);
  const measure::RatioInterval expected = measure::PairedRatio(DuelOf(0.80, 0.88).duel);
  EXPECT_DOUBLE_EQ(standing.of_best.value, expected.ratio);
  EXPECT_DOUBLE_EQ(standing.of_best.low, expected.low);
  EXPECT_DOUBLE_EQ(standing.of_best.high, expected.high);
  EXPECT_NEAR(standing.of_best.value, 1.1, 0.001);
  EXPECT_NEAR(standing.of_heuristic.value, 1.25, 0.001);
  EXPECT_NEAR(standing.of_baseline.value, 1.25, 0.001);
  EXPECT_NEAR(standing.cold_ms, 0.80, 0.001);
  EXPECT_DOUBLE_EQ(standing.contract_ms, 1);
}

TEST_F(MeasuredEvaluatorTest, JudgeDuelsTheBestThenTheHeuristicThenTheLibrary) {
  millis_ = {{"a", 1}, {"best", 1}};
  SetDuels();
  const Candidate best = Make("best");
  Must(evaluator_.Judge(Make("a"), &best));
  ASSERT_EQ(runner_.duels.size(), 3u);
  EXPECT_EQ(runner_.duels[0].reference, DuelReference::kPlan);
  EXPECT_EQ(CodeOf(runner_.duels[0].reference_plan), "best");
  EXPECT_EQ(runner_.duels[1].reference, DuelReference::kCublasLtBest);
  EXPECT_EQ(runner_.duels[2].reference, DuelReference::kCublas);
  for (const DuelRequest& duel : runner_.duels) EXPECT_EQ(CodeOf(duel.candidate), "a");
}

TEST_F(MeasuredEvaluatorTest, WhatIsNotThereIsNotDuelled) {
  MeasuredEvaluator bare(runner_, false, false);
  const Standing standing = Must(bare.Judge(Make("a"), nullptr));
  EXPECT_TRUE(runner_.duels.empty());
  EXPECT_EQ(standing.outcome, Outcome::kCorrect);
  EXPECT_FALSE(standing.of_best.known());
  EXPECT_FALSE(standing.of_baseline.known());
  EXPECT_FALSE(standing.of_heuristic.known());
}

TEST_F(MeasuredEvaluatorTest, AWrongWinnerIsDataWithItsError) {
  runner_.on_trial = [](const TrialRequest& request) {
    EXPECT_TRUE(request.check_all_sets);
    return Wrong("wrong in set 2");
  };
  const Standing standing = Must(evaluator_.Judge(Make("a"), nullptr));
  EXPECT_EQ(standing.outcome, Outcome::kCorrectness);
  EXPECT_EQ(standing.reason, "wrong in set 2");
  EXPECT_DOUBLE_EQ(standing.max_abs_err, 0.5);
  EXPECT_TRUE(runner_.duels.empty());
}

TEST_F(MeasuredEvaluatorTest, AFailedDuelIsDataAndEndsTheJudging) {
  runner_.on_duel = [](const DuelRequest&) {
    DuelReply reply;
    reply.outcome = Outcome::kRuntime;
    reply.reason = "misaligned address";
    reply.sticky = true;
    return reply;
  };
  const Candidate best = Make("best");
  const Standing standing = Must(evaluator_.Judge(Make("a"), &best));
  EXPECT_EQ(standing.outcome, Outcome::kRuntime);
  EXPECT_EQ(standing.reason, "misaligned address");
  EXPECT_EQ(runner_.duels.size(), 1u);
  EXPECT_TRUE(runner_.times.empty());
}

TEST_F(MeasuredEvaluatorTest, ContractTimeIsTheMedianOfTheContractRegime) {
  EXPECT_DOUBLE_EQ(Must(evaluator_.ContractTime(Make("a"))).ms, 1);
  EXPECT_EQ(runner_.times.at(0).regime, Regime::kContract);
  EXPECT_EQ(runner_.times[0].subject, DuelReference::kPlan);
  EXPECT_EQ(CodeOf(runner_.times[0].plan), "a");
}

TEST_F(MeasuredEvaluatorTest, AHangInTheContractRegimeIsData) {
  runner_.on_time = [](const TimeRequest&) -> Result<TimeReply> {
    TimeReply reply;
    reply.outcome = Outcome::kTimeout;
    reply.reason = "no end within 5000 ms";
    return reply;
  };
  const ContractTiming timing = Must(evaluator_.ContractTime(Make("a")));
  EXPECT_EQ(timing.outcome, Outcome::kTimeout);
  EXPECT_EQ(timing.reason, "in the contract regime: no end within 5000 ms");
  EXPECT_EQ(Must(evaluator_.Judge(Make("a"), nullptr)).outcome, Outcome::kTimeout);
}

}  // namespace
}  // namespace croq::tune
