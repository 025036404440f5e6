#include "croq/cli/tune_search.h"

#include <gtest/gtest.h>

#include "croq/journal/journal.h"
#include "unit/tune/tune_fixture.h"

namespace croq::cli {
namespace {

std::string Visible(int ordinal, const process::Environment& before) {
  process::Environment environment = before;
  SelectDevice(ordinal, environment);
  return environment.at("CUDA_VISIBLE_DEVICES");
}

TEST(SelectDevice, WithoutAListTheOrdinalIsTheDevice) {
  EXPECT_EQ(Visible(0, {}), "0");
  EXPECT_EQ(Visible(3, {}), "3");
}

TEST(SelectDevice, OrdinalsCountWithinTheList) {
  const process::Environment listed{{"CUDA_VISIBLE_DEVICES", "4,6,7"}};
  EXPECT_EQ(Visible(0, listed), "4");
  EXPECT_EQ(Visible(1, listed), "6");
  EXPECT_EQ(Visible(2, listed), "7");
}

TEST(SelectDevice, NamesOfDevicesAreKept) {
  EXPECT_EQ(Visible(1, {{"CUDA_VISIBLE_DEVICES", "GPU-aaaa,GPU-bbbb"}}), "GPU-bbbb");
}

TEST(SelectDevice, BeyondTheListThereIsNone) {
  EXPECT_EQ(Visible(2, {{"CUDA_VISIBLE_DEVICES", "4,6"}}), "");
}

TEST(SelectDevice, OtherVariablesStay) {
  process::Environment environment{{"PATH", "/bin"}};
  SelectDevice(1, environment);
  EXPECT_EQ(environment.at("PATH"), "/bin");
  EXPECT_EQ(environment.size(), 2u);
}

using tune::FakeConfig;

class RejectionSinkTest : public tune::TuneTest {
 protected:
  tune::Session session_ = MakeSession();
  tune::Pipeline pipeline_{factory_, *builder_, WorkFolder() / "src"};
  tune::Screening screening_{session_, pipeline_};
};

TEST_F(RejectionSinkTest, KeepsWhatComesBeforeTheScreening) {
  RejectionSink sink;
  sink.Add(FakeConfig(1), "too large");
  sink.ConnectTo(screening_);
  sink.Add(FakeConfig(2), "too small");
  tune::Must(journal_->Flush());
  const std::vector<Trial> rows = StoredTrials();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].config, FakeConfig(1));
  EXPECT_EQ(rows[0].reason, "too large");
  EXPECT_EQ(rows[0].outcome, Outcome::kConstraints);
  EXPECT_EQ(rows[1].reason, "too small");
}

class ShortlistTest : public tune::TuneTest {
 protected:
  /// An offline session's trials.
  void StoreOffline(const std::vector<std::pair<Config, double>>& trials) {
    journal::SessionInfo info = info_;
    info.gpu_key = "sm90_offline";
    info.offline = true;
    const auto journal =
        tune::Must(journal::Journal::Open(journal::PathsOf(folder_.path(), info), info));
    for (const auto& [config, ms] : trials) {
      Trial trial;
      trial.config = config;
      trial.outcome = ms > 0 ? Outcome::kCorrect : Outcome::kCompile;
      trial.time_ms = ms;
      tune::Must(journal->AppendTrial(trial));
    }
    tune::Must(journal->Flush());
  }
};

TEST_F(ShortlistTest, IsTheFastestThatAnOfflineSessionPredicted) {
  StoreOffline({{FakeConfig(1), 3}, {FakeConfig(2), 0}, {FakeConfig(3), 1}, {FakeConfig(1), 3}});
  EXPECT_EQ(OfflineShortlist(paths_, 90), (std::vector<Config>{FakeConfig(3), FakeConfig(1)}));
}

TEST_F(ShortlistTest, IsShort) {
  std::vector<std::pair<Config, double>> trials;
  for (int code = 1; code <= 100; ++code) trials.emplace_back(FakeConfig(code), 1.0 + code);
  StoreOffline(trials);
  EXPECT_EQ(OfflineShortlist(paths_, 90).size(), 24u);
}

TEST_F(ShortlistTest, WithoutAnOfflineSessionItIsEmpty) {
  EXPECT_TRUE(OfflineShortlist(paths_, 90).empty());
  EXPECT_TRUE(OfflineShortlist(paths_, 70).empty());
}

}  // namespace
}  // namespace croq::cli
