#include "croq/tune/recorder.h"

#include <gtest/gtest.h>

#include "support/fake_builder.h"
#include "support/fake_runner.h"
#include "support/space_factory.h"
#include "unit/tune/tune_fixture.h"

namespace croq::tune {
namespace {

/// The 48 configurations of SpaceFactory, each as slow as its tag is long.
class RecorderTest : public ::testing::Test {
 protected:
  RecorderTest() {
    recording_.shape = ParseShapeKey("matmul_f16fp32_64x64x64").value();
    recording_.space = factory_.Space().variants;
    runner_.on_trial = [this](const TrialRequest&) -> Result<TrialReply> {
      if (++measured_ == fails_at_) return Failure("the runner is lost");
      TrialReply reply;
      reply.timing = Timing{};
      reply.timing->median_ms = 1.0 + measured_;
      if (measured_ == wrong_at_) reply.outcome = Outcome::kCorrectness;
      if (measured_ == interrupt_at_) interrupted_ = true;
      return reply;
    };
  }

  Status Run(std::int64_t limit = 0, const char* strategy_name = "exhaustive") {
    FakeBuilder builder(folder_.path() / "cubins");
    Pipeline pipeline(factory_, builder, folder_.path() / "src");
    const auto keep = [this]() -> Status {
      kept_.push_back(recording_.trials.size());
      return {};
    };
    Recorder recorder(runner_, pipeline, recording_, interrupted_, keep);
    search::StrategyOptions options;
    options.space = factory_.Space();
    const auto strategy = search::MakeStrategy(strategy_name, std::move(options));
    return recorder.Run(*strategy, 4, limit);
  }

  journal::TempFolder folder_;
  croq::testing::SpaceFactory factory_;
  FakeRunner runner_;
  Recording recording_;
  std::atomic<bool> interrupted_{false};
  std::vector<std::size_t> kept_;
  int measured_ = 0;
  int fails_at_ = 0;
  int wrong_at_ = 0;
  int interrupt_at_ = 0;
};

TEST_F(RecorderTest, MeasuresTheWholeSpaceOnce) {
  wrong_at_ = 3;
  Must(Run());
  EXPECT_TRUE(recording_.whole);
  EXPECT_EQ(recording_.trials.size(), 48U);
  EXPECT_EQ(runner_.trials.size(), 48U);
  EXPECT_EQ(runner_.trials.front().stop_above_ms, 0);
  EXPECT_EQ(recording_.trials[2].outcome, Outcome::kCorrectness);
  EXPECT_EQ(recording_.trials[2].time_ms, 0);
  EXPECT_DOUBLE_EQ(recording_.BestMs(), 2);
  EXPECT_DOUBLE_EQ(recording_.trials[0].compile_ms, 100);
  EXPECT_EQ(kept_, std::vector<std::size_t>{48});
}

TEST_F(RecorderTest, DrawsAPartWhereThereIsALimit) {
  Must(Run(7, "random"));
  EXPECT_FALSE(recording_.whole);
  EXPECT_EQ(recording_.trials.size(), 7U);
}

TEST_F(RecorderTest, KeepsWhatWasMeasuredWhenTheRunnerIsLostAndGoesOnWithIt) {
  fails_at_ = 11;
  const Status lost = Run();
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().message, "the runner is lost");
  EXPECT_FALSE(recording_.whole);
  EXPECT_EQ(kept_, std::vector<std::size_t>{10});
  fails_at_ = 0;
  Must(Run());
  EXPECT_TRUE(recording_.whole);
  EXPECT_EQ(recording_.trials.size(), 48U);
  EXPECT_EQ(runner_.trials.size(), 11U + 38U);
}

TEST_F(RecorderTest, AnInterruptLeavesAPart) {
  interrupt_at_ = 5;
  Must(Run());
  EXPECT_FALSE(recording_.whole);
  EXPECT_EQ(recording_.trials.size(), 5U);
}

}  // namespace
}  // namespace croq::tune
