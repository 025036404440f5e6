#include "croq/journal/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "unit/journal/journal_fixture.h"

namespace croq::journal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

TEST_F(JournalTest, AReaderSeesWhatARunningCroqCommits) {
  Open();
  Commit("baseline");
  const auto reader = JournalReader::Open(paths());
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ(reader->read().Iterations()->size(), 1U);
  Commit("tiled");
  EXPECT_EQ(reader->read().Iterations()->size(), 2U);
  ASSERT_TRUE(journal_->AppendTrial(MakeTrial(1)));
  ASSERT_TRUE(journal_->Flush());
  EXPECT_EQ(reader->read().TrialCount(), 1);
}

TEST_F(JournalTest, AReaderLeavesNothingBehind) {
  Open();
  Commit("baseline");
  journal_.reset();
  const auto count = [&] {
    const fs::directory_iterator files(paths().Logs());
    return std::distance(fs::begin(files), fs::end(files));
  };
  const auto before = count();
  {
    const auto reader = JournalReader::Open(paths());
    ASSERT_TRUE(reader->read().Summary());
  }
  EXPECT_EQ(count(), before);
}

TEST_F(JournalTest, TheSummaryCounts) {
  Open();
  ASSERT_TRUE(journal_->StartRun("argv", "budget"));
  ASSERT_TRUE(journal_->AppendTrial(MakeTrial(1)));
  Commit("baseline");
  Commit("tiled");
  ASSERT_TRUE(journal_->BeginIteration("open", "tiled", 2));
  const auto summary = journal_->read().Summary();
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->trials, 1);
  EXPECT_EQ(summary->iterations, 2);
  EXPECT_EQ(summary->attempts, 0);
  EXPECT_EQ(summary->baseline->tag, "baseline");
  EXPECT_EQ(summary->best->tag, "tiled");
  EXPECT_EQ(summary->info.shape_key, info_.shape_key);
  EXPECT_GT(summary->last_millis, 0);
}

TEST_F(JournalTest, SessionsAreListedByName) {
  EXPECT_THAT(*ListSessions(folder_.path()), IsEmpty());
  EXPECT_FALSE(ListSessions(folder_.path() / "nowhere"));
  for (const char* model : {"croq", "agent"}) {
    SessionInfo info = info_;
    info.model = model;
    ASSERT_TRUE(Journal::Open(PathsOf(folder_.path(), info), info));
  }
  const auto entries = ListSessions(folder_.path());
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ(SessionName(entries->at(0).paths),
            "sm90_NVIDIA_H200/triton/matmul_f16fp32_4096x4096x4096/agent");
  EXPECT_EQ(entries->at(1).summary->info.model, "croq");
}

TEST(MatchSessions, PrefersTheMostExactKind) {
  const std::vector<std::string> names = {"sm90_a/triton/matmul_f16fp32_4x4x4/croq",
                                          "sm90_a/triton/matmul_f16fp32_4x4x42/croq",
                                          "sm90_a/triton/matmul_f16fp32_4x4x42/agent"};
  EXPECT_THAT(MatchSessions(names, names[0]), ElementsAre(0));
  EXPECT_THAT(MatchSessions(names, "matmul_f16fp32_4x4x4"), ElementsAre(0))
      << "a whole part wins over a part of a part";
  EXPECT_THAT(MatchSessions(names, "matmul_f16fp32_4x4x42"), ElementsAre(1, 2));
  EXPECT_THAT(MatchSessions(names, "matmul_f16fp32_4x4x42/agent"), ElementsAre(2));
  EXPECT_THAT(MatchSessions(names, "4x4x42/cr"), ElementsAre(1));
  EXPECT_THAT(MatchSessions(names, "bf16"), IsEmpty());
  EXPECT_THAT(MatchSessions(names, ""), ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace croq::journal
