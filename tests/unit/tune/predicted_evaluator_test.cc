#include "croq/tune/predicted_evaluator.h"

#include <gtest/gtest.h>

#include "croq/search/cost_model.h"
#include "support/fake_numeric_check.h"
#include "unit/tune/tune_fixture.h"

namespace croq::tune {
namespace {

using croq::testing::FakeNumericCheck;

class PredictedEvaluatorTest : public ::testing::Test {
 protected:
  static Candidate Make(const std::string& changes) {
    Candidate candidate;
    candidate.config =
        Must(ParseConfig("tiled BLOCK_K=64 GROUP_M=8 num_ctas=1 num_stages=3 "
                         "num_warps=8 " +
                         changes));
    candidate.build.registers = 168;
    candidate.build.shared_bytes = 98304;
    return candidate;
  }

  ShapeKey shape_ = Must(ParseShapeKey("matmul_f16fp32_4096x4096x4096"));
  DeviceFacts device_ = Must(OfflineDevice(90));
  FakeNumericCheck numerics_;
  PredictedEvaluator evaluator_{shape_, device_, numerics_};
  Candidate wide_ = Make("BLOCK_M=128 BLOCK_N=256");
  Candidate narrow_ = Make("BLOCK_M=32 BLOCK_N=32");
  std::vector<Evaluator::Rejected> rejected_;
};

TEST_F(PredictedEvaluatorTest, SaysThatItPredicts) {
  EXPECT_TRUE(evaluator_.Predicted());
}

TEST_F(PredictedEvaluatorTest, ScreeningAsksTheCostModelWithWhatTheCompilerGave) {
  const search::BuiltResources built{168, 0, 98304};
  const Evaluation evaluation = Must(evaluator_.Screen(wide_, 0));
  EXPECT_EQ(evaluation.outcome, Outcome::kCorrect);
  EXPECT_DOUBLE_EQ(evaluation.time_ms,
                   search::PredictMillis(shape_, device_, wide_.config, &built));
  EXPECT_GT(Must(evaluator_.Screen(narrow_, 0)).time_ms, evaluation.time_ms);
  EXPECT_TRUE(numerics_.checked.empty());  // the interpreter is for finalists
}

TEST_F(PredictedEvaluatorTest, SpillsCostTime) {
  Candidate spilling = wide_;
  spilling.build.local_bytes = 512;
  EXPECT_GT(Must(evaluator_.Screen(spilling, 0)).time_ms,
            Must(evaluator_.Screen(wide_, 0)).time_ms);
}

TEST_F(PredictedEvaluatorTest, TheFastestFinalistThatIsRightWins) {
  numerics_.wrong[wide_.config.Text()] = Outcome::kCorrectness;
  const auto winner = Must(evaluator_.Settle({wide_, narrow_}, rejected_));
  EXPECT_EQ(winner, std::optional<std::size_t>(1));
  ASSERT_EQ(rejected_.size(), 1u);
  EXPECT_EQ(rejected_[0].index, 0u);
  EXPECT_EQ(rejected_[0].outcome, Outcome::kCorrectness);
  EXPECT_EQ(rejected_[0].reason, "the interpreter disagrees");
}

TEST_F(PredictedEvaluatorTest, OnceOneIsRightTheOthersAreNotChecked) {
  EXPECT_EQ(Must(evaluator_.Settle({wide_, narrow_}, rejected_)), std::optional<std::size_t>(0));
  EXPECT_EQ(numerics_.checked, std::vector<std::string>{wide_.config.Text()});
}

TEST_F(PredictedEvaluatorTest, NoFinalistThatIsRightIsNoWinner) {
  numerics_.wrong[wide_.config.Text()] = Outcome::kCorrectness;
  EXPECT_FALSE(Must(evaluator_.Settle({wide_}, rejected_)));
}

TEST_F(PredictedEvaluatorTest, JudgeComparesPredictionsWithoutASpread) {
  const Standing standing = Must(evaluator_.Judge(wide_, &narrow_));
  EXPECT_EQ(standing.outcome, Outcome::kCorrect);
  EXPECT_DOUBLE_EQ(standing.max_abs_err, 2e-4);
  const double mine = Must(evaluator_.Screen(wide_, 0)).time_ms;
  const double best = Must(evaluator_.Screen(narrow_, 0)).time_ms;
  EXPECT_DOUBLE_EQ(standing.cold_ms, mine);
  EXPECT_DOUBLE_EQ(standing.contract_ms, mine);
  EXPECT_DOUBLE_EQ(standing.of_best.value, best / mine);
  EXPECT_DOUBLE_EQ(standing.of_best.low, standing.of_best.high);
  EXPECT_FALSE(standing.of_baseline.known());
  EXPECT_DOUBLE_EQ(Must(evaluator_.ContractTime(wide_)).ms, mine);
}

TEST_F(PredictedEvaluatorTest, JudgeComparesWithTheFirstConfigurationOnceThereIsOne) {
  EXPECT_FALSE(Must(evaluator_.Judge(wide_, nullptr)).of_first.known());
  const double mine = Must(evaluator_.Screen(wide_, 0)).time_ms;
  evaluator_.SetFirst(narrow_, 3 * mine);
  EXPECT_DOUBLE_EQ(Must(evaluator_.Judge(wide_, nullptr)).of_first.value, 3);
}

TEST_F(PredictedEvaluatorTest, JudgeWithoutABestHasNoRatio) {
  EXPECT_FALSE(Must(evaluator_.Judge(wide_, nullptr)).of_best.known());
}

TEST_F(PredictedEvaluatorTest, JudgeRefusesWrongNumbers) {
  numerics_.wrong[wide_.config.Text()] = Outcome::kRuntime;
  const Standing standing = Must(evaluator_.Judge(wide_, nullptr));
  EXPECT_EQ(standing.outcome, Outcome::kRuntime);
  EXPECT_EQ(standing.reason, "the interpreter disagrees");
}

}  // namespace
}  // namespace croq::tune
