#include "croq/tune/round_records.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "unit/tune/tune_fixture.h"

namespace croq::tune {
namespace {

class RoundRecordsTest : public TuneTest {
 protected:
  RoundRecordsTest() { StoreBaseline(); }

  void StoreRound(const ClosedRound& round, const Config& config) {
    Iteration iteration;
    iteration.tag = FakeFactory::TagOf(config);
    iteration.config = config.Text();
    iteration.number = Must(journal_->BeginIteration(iteration.tag, iteration.config, round.round));
    iteration.decision = round.decision;
    journal::Idea idea;
    idea.round = round.round;
    idea.idea_id = round.idea;
    idea.base = round.base;
    idea.rules = RulesJson(round).dump();
    Must(journal_->CommitIteration(iteration, idea));
  }
};

TEST_F(RoundRecordsTest, ComeBackFromTheJournal) {
  ClosedRound round;
  round.round = 1;
  round.idea = "latency_more_stages";
  round.base = "fake CODE=9";
  round.bases = {"fake CODE=9", "other CODE=1"};
  round.structural = true;
  round.structural_offered = true;
  round.failed_builds = 3;
  round.deeper_look = true;
  round.decision = Decision::kKeep;
  StoreTrial(FakeConfig(1), 1.0);
  StoreTrial(FakeConfig(2), 0, Outcome::kConstraints);
  StoreRound(round, FakeConfig(3));

  const std::vector<ClosedRound> rounds = Must(ReadRounds(journal_->read()));

  ASSERT_EQ(rounds.size(), 1U);
  const ClosedRound& back = rounds.front();
  EXPECT_EQ(back.round, 1);
  EXPECT_EQ(back.idea, round.idea);
  EXPECT_EQ(back.base, round.base);
  EXPECT_EQ(back.bases, round.bases);
  EXPECT_TRUE(back.structural && back.structural_offered && back.deeper_look);
  EXPECT_EQ(back.failed_builds, 3);
  EXPECT_EQ(back.decision, Decision::kKeep);
  const std::vector<std::string> settings{FakeConfig(1).Text(), FakeConfig(3).Text()};
  EXPECT_EQ(back.settings, settings) << "trials that were built, and what was written";
}

TEST_F(RoundRecordsTest, DamagedRulesAreNoReasonToStop) {
  Iteration iteration;
  iteration.tag = "fake_1_1";
  iteration.config = FakeConfig(1).Text();
  iteration.number = Must(journal_->BeginIteration(iteration.tag, iteration.config, 4));
  journal::Idea idea;
  idea.round = 4;
  idea.rules = "{\"bases\": [7";
  Must(journal_->CommitIteration(iteration, idea));
  EXPECT_EQ(Must(ReadRounds(journal_->read())).at(0).round, 4);
}

TEST(AddRecords, CountsTriesAndHits) {
  ClosedRound kept;
  kept.idea = "a";
  kept.decision = Decision::kKeep;
  ClosedRound missed = kept;
  missed.decision = Decision::kDiscard;
  const auto records = AddRecords({{"a", 2, 0}}, {kept, missed, ClosedRound{}});
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].tries, 4);
  EXPECT_EQ(records[0].hits, 1);
}

}  // namespace
}  // namespace croq::tune
