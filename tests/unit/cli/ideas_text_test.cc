#include "croq/cli/ideas_text.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

namespace croq::cli {
namespace {

using ::testing::HasSubstr;

contract::Contract TritonContract() {
  auto loaded =
      contract::LoadContract(std::filesystem::path(CROQ_SOURCE_DIR) / "contracts" / "triton.toml");
  EXPECT_TRUE(loaded.has_value());
  return *std::move(loaded);
}

TEST(IdeasText, TheMenuSaysWhatEachEntryNeedsAndShouldChange) {
  const contract::Contract contract = TritonContract();
  const std::string text = FormatMenu(contract, "latency_bound");
  EXPECT_THAT(text, HasSubstr("latency_more_stages\n"));
  EXPECT_THAT(text, HasSubstr("stages_left < 1: shared memory is full"));
  EXPECT_THAT(text, HasSubstr("stall_long_scoreboard_pct down"));
  EXPECT_EQ(text.find("memory_evict_last"), std::string::npos);
  for (const contract::Idea& idea : contract.ideas) {
    EXPECT_THAT(FormatMenu(contract, ""), HasSubstr(idea.id + "\n"));
  }
  EXPECT_THAT(FormatMenu(contract, "launch_bound"), HasSubstr("not offered"));
}

TEST(IdeasText, TheRankingShowsEvidenceAndReasons) {
  const contract::Contract contract = TritonContract();
  profile::RankedIdea first;
  first.idea = &contract.ideas.front();
  first.applicable = true;
  first.evidence = "memory_bound, mem 91.0% (m)";
  first.expected_gain = 1.2;
  first.score = 0.3;
  first.record = {first.idea->id, 3, 1};
  profile::RankedIdea second;
  second.idea = &contract.ideas[1];
  second.reason = "shared memory is full";
  const std::string text = FormatRanking({first, second});
  EXPECT_THAT(text, HasSubstr("1. " + first.idea->id));
  EXPECT_THAT(text, HasSubstr("memory_bound, mem 91.0% (m)"));
  EXPECT_THAT(text, HasSubstr("1.20 times as fast, score 0.300; kept 1 of 3 times before"));
  EXPECT_THAT(text, HasSubstr(second.idea->id + "  shared memory is full"));
  const nlohmann::json json = RankingJson({first, second});
  EXPECT_EQ(json.at(0).at("expected_gain"), 1.2);
  EXPECT_EQ(json.at(1).at("reason"), "shared memory is full");
}

}  // namespace
}  // namespace croq::cli
