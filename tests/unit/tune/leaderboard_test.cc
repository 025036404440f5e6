#include "croq/tune/leaderboard.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "croq/tune/cubin_store.h"
#include "support/fake_factory.h"
#include "unit/journal/journal_fixture.h"

namespace croq::tune {
namespace {

using croq::testing::FakeConfig;

class CubinTest : public ::testing::Test {
 protected:
  /// A candidate with one cubin on disk; equal names share the file.
  Candidate Make(std::int64_t code, const std::string& cubin) {
    Candidate candidate;
    candidate.config = FakeConfig(code);
    CompiledKernel kernel;
    kernel.cubin_path = (folder_.path() / cubin).string();
    std::ofstream(kernel.cubin_path) << "code";
    candidate.plan.kernels = {kernel};
    return candidate;
  }
  Candidate Held(std::int64_t code, const std::string& cubin) {
    Candidate candidate = Make(code, cubin);
    store_.Hold(candidate.plan);
    return candidate;
  }
  bool Exists(const std::string& cubin) const {
    return std::filesystem::exists(folder_.path() / cubin);
  }

  journal::TempFolder folder_;
  CubinStore store_;
};

using CubinStoreTest = CubinTest;
using LeaderboardTest = CubinTest;

TEST_F(CubinStoreTest, ASharedFileGoesWithItsLastHolder) {
  const Candidate first = Held(1, "shared");
  const Candidate second = Held(2, "shared");
  store_.Release(first.plan);
  EXPECT_TRUE(Exists("shared"));
  store_.Release(second.plan);
  EXPECT_FALSE(Exists("shared"));
}

TEST_F(CubinStoreTest, AFileThatNobodyHeldStays) {
  const Candidate candidate = Make(1, "foreign");
  store_.Release(candidate.plan);
  EXPECT_TRUE(Exists("foreign"));
}

TEST_F(CubinStoreTest, AFileCanBeHeldAgainAfterItsLastRelease) {
  const Candidate candidate = Held(1, "again");
  store_.Release(candidate.plan);
  const Candidate rebuilt = Held(1, "again");
  EXPECT_TRUE(Exists("again"));
  store_.Release(rebuilt.plan);
  EXPECT_FALSE(Exists("again"));
}

TEST_F(CubinStoreTest, APlanThatNamesAFileTwiceHoldsItTwice) {
  Candidate candidate = Make(1, "twice");
  candidate.plan.kernels.push_back(candidate.plan.kernels[0]);
  store_.Hold(candidate.plan);
  const Candidate other = Held(2, "twice");
  store_.Release(candidate.plan);
  EXPECT_TRUE(Exists("twice"));
  store_.Release(other.plan);
  EXPECT_FALSE(Exists("twice"));
}

std::vector<std::int64_t> Codes(const std::vector<Candidate>& candidates) {
  std::vector<std::int64_t> codes;
  for (const Candidate& candidate : candidates) codes.push_back(candidate.config.Int("CODE"));
  return codes;
}

TEST_F(LeaderboardTest, IsEmptyAtFirst) {
  const Leaderboard board(3, store_);
  EXPECT_EQ(board.Best(), nullptr);
  EXPECT_EQ(board.BestMillis(), 0);
  EXPECT_TRUE(board.Top(5, 10).empty());
}

TEST_F(LeaderboardTest, KeepsTheFastestFirst) {
  Leaderboard board(3, store_);
  board.Add(Held(1, "a"), 2.0);
  board.Add(Held(2, "b"), 1.0);
  board.Add(Held(3, "c"), 1.5);
  EXPECT_EQ(Codes(board.Top(5, 10)), (std::vector<std::int64_t>{2, 3, 1}));
  EXPECT_EQ(board.Best()->config.Int("CODE"), 2);
  EXPECT_DOUBLE_EQ(board.BestMillis(), 1.0);
}

TEST_F(LeaderboardTest, OfEqualTimesTheFirstComesFirst) {
  Leaderboard board(3, store_);
  board.Add(Held(1, "a"), 1.0);
  board.Add(Held(2, "b"), 1.0);
  EXPECT_EQ(Codes(board.Top(5, 1)), (std::vector<std::int64_t>{1, 2}));
}

TEST_F(LeaderboardTest, TopTakesWhoLiesWithinTheFactorUpToTheCount) {
  Leaderboard board(10, store_);
  board.Add(Held(1, "a"), 1.00);
  board.Add(Held(2, "b"), 1.04);
  board.Add(Held(3, "c"), 1.05);
  board.Add(Held(4, "d"), 1.06);
  EXPECT_EQ(Codes(board.Top(10, 1.05)), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(Codes(board.Top(2, 1.05)), (std::vector<std::int64_t>{1, 2}));
}

TEST_F(LeaderboardTest, WhoFallsOffTheEndGivesUpItsCubins) {
  Leaderboard board(2, store_);
  board.Add(Held(1, "slow"), 3.0);
  board.Add(Held(2, "b"), 1.0);
  board.Add(Held(3, "c"), 2.0);
  EXPECT_EQ(Codes(board.Top(5, 10)), (std::vector<std::int64_t>{2, 3}));
  EXPECT_FALSE(Exists("slow"));
  EXPECT_TRUE(Exists("b"));
  board.Add(Held(4, "slower"), 9.0);
  EXPECT_FALSE(Exists("slower"));
  EXPECT_TRUE(Exists("c"));
}

TEST_F(LeaderboardTest, FallingOffLeavesAFileThatAnotherEntryShares) {
  Leaderboard board(1, store_);
  board.Add(Held(1, "shared"), 2.0);
  board.Add(Held(2, "shared"), 1.0);
  EXPECT_TRUE(Exists("shared"));
}

TEST_F(LeaderboardTest, RemoveKeepsTheCubins) {
  Leaderboard board(3, store_);
  const Candidate winner = Held(1, "a");
  board.Add(winner, 1.0);
  board.Add(Held(2, "b"), 2.0);
  board.Remove(winner.config.Text());
  EXPECT_EQ(Codes(board.Top(5, 10)), std::vector<std::int64_t>{2});
  EXPECT_TRUE(Exists("a"));
}

}  // namespace
}  // namespace croq::tune
