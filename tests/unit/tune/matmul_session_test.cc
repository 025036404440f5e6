// The round loop on the real operator: templates, constraints and launch plans of matmul.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "croq/tune/predicted_evaluator.h"
#include "croq/tune/round_loop.h"
#include "support/fake_numeric_check.h"
#include "unit/tune/tune_fixture.h"

namespace croq::tune {
namespace {

class MatmulSessionTest : public TuneTest {
 protected:
  std::unique_ptr<operators::CandidateFactory> factory_ =
      Must(operators::MakeFactory(shape_, device_, TritonContract(),
                                  std::filesystem::path(CROQ_SOURCE_DIR) / "python" / "operators"));
  croq::testing::FakeNumericCheck numerics_;
  PredictedEvaluator evaluator_{shape_, device_, numerics_};
};

TEST_F(MatmulSessionTest, ASearchEndsInAPredictedKernelOnDisk) {
  StoreBaseline();
  search::StrategyOptions options;
  options.space = factory_->Space();
  options.seed = 7;
  const std::unique_ptr<search::Strategy> strategy = search::MakeStrategy("hybrid", options);
  // Code is what the constants say, as in the compiler.
  builder_->shape = [](const CompileJob& job, BuildResult& result) {
    result.kernel.num_warps = static_cast<int>(job.options.at("num_warps"));
  };
  Session session{shape_,    device_,    paths_,      TritonContract(), {},
                  *factory_, *journal_,  *builder_,   evaluator_,       *scripts_,
                  rules_,    *strategy, *observer_, interrupted_};
  RoundLoop loop(session, WorkFolder());
  Must(loop.Restore());
  const RunSummary summary = Must(loop.Run(Budget{0, 40, 0}, 0, 0));
  EXPECT_EQ(summary.ended_by, "trials");
  EXPECT_EQ(summary.trials, 40);
  ASSERT_TRUE(summary.best);
  EXPECT_TRUE(summary.best->predicted);
  EXPECT_TRUE(summary.best->verified);
  EXPECT_GT(summary.best->tflops, 100);
  const std::string script = Must(ReadFile(paths_.Source(summary.best->Name())));
  EXPECT_NE(script.find("@triton.jit"), std::string::npos);
  EXPECT_EQ(StoredTrials().size(), 40u);
  EXPECT_TRUE(std::filesystem::exists(paths_.Logs() / "predicted.tsv"));
}

}  // namespace
}  // namespace croq::tune
