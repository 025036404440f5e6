#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "croq/journal/sqlite.h"
#include "croq/journal/views.h"
#include "unit/journal/journal_fixture.h"

namespace croq::journal {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class AttemptTest : public JournalTest {
 protected:
  void SetUp() override {
    Open();
    Commit("baseline");
    ASSERT_EQ(journal_->BeginIteration("tiled", "tiled BLOCK_M=64", 1), 1);
    Put(paths().Source("iter001_tiled"), "source");
    Put(paths().BuildScript(1), "build");
    Put(paths().RunScript(1), "run");
    Put(paths().BuildLog(1), "ptxas said no");
    Put(paths().BuildLog(0), "the baseline's");
    attempt_.outcome = Outcome::kCompile;
    attempt_.reason = "ptxas: too many registers";
    attempt_.log = paths().BuildLog(1).string();
    attempt_.tries = 2;
  }

  void ExpectFilesMoved() {
    EXPECT_FALSE(fs::exists(paths().Source("iter001_tiled")));
    EXPECT_EQ(ReadFile(paths().Source("attempt0001_tiled")), "source");
    EXPECT_FALSE(fs::exists(paths().BuildScript(1)));
    EXPECT_FALSE(fs::exists(paths().RunScript(1)));
    EXPECT_FALSE(fs::exists(paths().BuildLog(1)));
    EXPECT_EQ(ReadFile(paths().BuildLog(0)), "the baseline's") << "other numbers' files stay";
    EXPECT_EQ(Text("attempt0001_tiled.log"), "ptxas said no");
  }

  Attempt attempt_;
};

TEST_F(AttemptTest, GivesTheNumberBackAndKeepsSourceReasonAndLog) {
  const auto stored = journal_->AbandonIteration(1, attempt_);
  ASSERT_TRUE(stored) << stored.error().message;
  EXPECT_EQ(stored->Name(), "attempt0001_tiled");
  EXPECT_EQ(stored->config, "tiled BLOCK_M=64");
  EXPECT_EQ(stored->log, (paths().Logs() / "attempt0001_tiled.log").string());
  ExpectFilesMoved();
  EXPECT_EQ(Text("attempt-log.jsonl"), AttemptLine(*stored));
  EXPECT_EQ(journal_->BeginIteration("other", "tiled BLOCK_M=32", 1), 1);
  const auto attempts = journal_->read().Attempts();
  ASSERT_EQ(attempts->size(), 1U);
  EXPECT_EQ(attempts->front().reason, attempt_.reason);
  EXPECT_EQ(attempts->front().outcome, Outcome::kCompile);
  EXPECT_EQ(attempts->front().tries, 2);
}

TEST_F(AttemptTest, ALogOutsideTheNumbersFilesStaysWhereItIs) {
  attempt_.log = (paths().Work() / "worker.log").string();
  Put(attempt_.log, "text");
  EXPECT_EQ(journal_->AbandonIteration(1, attempt_)->log, attempt_.log);
  EXPECT_EQ(ReadFile(attempt_.log), "text");
}

TEST_F(AttemptTest, FinishesAMoveThatAKillCutShort) {
  ASSERT_TRUE(journal_->AbandonIteration(1, attempt_));
  journal_.reset();
  // As if killed after the commit: before the move, then half-way through it.
  for (const bool half : {false, true}) {
    const auto database = Database::Open(paths().Journal(), Database::Mode::kReadWrite);
    ASSERT_TRUE(database->Execute("UPDATE attempts SET files_moved = 0"));
    if (!half) fs::rename(paths().Source("attempt0001_tiled"), paths().Source("iter001_tiled"));
    if (!half) fs::rename(paths().Logs() / "attempt0001_tiled.log", paths().BuildLog(1));
    Put(paths().BuildScript(1), "build");
    Open();
    ExpectFilesMoved();
    journal_.reset();
  }
}

TEST_F(AttemptTest, AnIdeaThatCameToNothingIsLogged) {
  Idea idea;
  idea.idea = "wider tiles";
  ASSERT_TRUE(journal_->AbandonIteration(1, attempt_, idea));
  EXPECT_THAT(Text("idea-log.jsonl"), HasSubstr(R"("iter":"attempt0001")"));
  EXPECT_THAT(Text("idea-log.jsonl"), HasSubstr(R"("decision":"DISCARD")"));
}

TEST_F(AttemptTest, OnlyTheIterationUnderWayCanBeAbandoned) {
  EXPECT_FALSE(journal_->AbandonIteration(0, attempt_));
  EXPECT_FALSE(journal_->AbandonIteration(2, attempt_));
  ASSERT_TRUE(journal_->AbandonIteration(1, attempt_));
  EXPECT_FALSE(journal_->AbandonIteration(1, attempt_));
  EXPECT_EQ(journal_->read().Attempts()->size(), 1U);
}

TEST_F(AttemptTest, ACorrectOutcomeIsNoAttempt) {
  attempt_.outcome = Outcome::kCorrect;
  EXPECT_FALSE(journal_->AbandonIteration(1, attempt_));
  EXPECT_TRUE(journal_->FindOpenIteration()->has_value()) << "rolled back whole";
}

}  // namespace
}  // namespace croq::journal
