#include "croq/tune/round_rules.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "croq/tune/round_audit.h"

namespace croq::tune {
namespace {

const std::vector<KnownKernel> kBases{{"tiled A", "tiled", 1.0}, {"persistent B", "persistent", 1.1}};

Offer MakeOffer(std::string idea, double score, bool structural = false,
                std::vector<std::string> settings = {"one"}) {
  return {kBases[0].config, std::move(idea), structural, score, std::move(settings)};
}

ClosedRound Lever(int round, Decision decision = Decision::kNone) {
  ClosedRound closed;
  closed.round = round;
  closed.bases = {kBases[0].config, kBases[1].config};
  closed.base = kBases[0].config;
  closed.idea = "idea" + std::to_string(round);
  closed.settings = {"setting" + std::to_string(round)};
  closed.decision = decision;
  return closed;
}

ClosedRound Structural(int round, Decision decision = Decision::kNone) {
  ClosedRound closed = Lever(round, decision);
  closed.structural = true;
  return closed;
}

/// A row of DISCARDs that keeps every rule.
std::vector<ClosedRound> GoodRow(int length) {
  std::vector<ClosedRound> rounds;
  for (int i = 0; i < length; ++i) {
    ClosedRound closed = i % 2 == 0 ? Lever(i + 1) : Structural(i + 1);
    closed.decision = Decision::kDiscard;
    closed.deeper_look = i == 7;
    if (i >= 8) closed.base = kBases[1].config;
    rounds.push_back(closed);
  }
  return rounds;
}

TEST(ActiveBases, AreTheBestTwoThatDifferInStructure) {
  const auto bases = ActiveBases({{"p", "persistent", 1.2}, {"t2", "tiled", 1.05}, {"t1", "tiled", 1.0},
                                  {"d", "descriptor", 1.1}}, "t1");
  ASSERT_EQ(bases.size(), 2U);
  EXPECT_EQ(bases[0].config, "t1");
  EXPECT_EQ(bases[1].config, "d");
}

TEST(ActiveBases, ArePutInOrderByDuelsFirst) {
  const auto bases = ActiveBases({{"p", "persistent", 0.9}, {"t", "tiled", 1.0}}, "t");
  EXPECT_EQ(bases[0].config, "t");
  EXPECT_EQ(bases[1].config, "p");
  EXPECT_TRUE(ActiveBases({}, "").empty());
}

TEST(RoundRules, TheBestOfferIsChosenAndOnlyOne) {
  const RoundRules rules;
  const auto choice = rules.Choose({MakeOffer("small", 0.1), MakeOffer("large", 0.3)});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->offer.idea, "large");
  EXPECT_FALSE(rules.Choose({}));
}

TEST(RoundRules, NoCombinationIsTakenTwice) {
  RoundRules rules;
  ClosedRound closed = Lever(1);
  closed.idea = "large";
  closed.settings = {"one", "two"};
  rules.Close(closed);
  EXPECT_TRUE(rules.Taken(closed.base, "large", "one"));
  EXPECT_FALSE(rules.Taken(closed.base, "small", "one"));
  EXPECT_FALSE(rules.Taken(kBases[1].config, "large", "one"));
  auto choice = rules.Choose({MakeOffer("large", 0.3, false, {"one", "two"}), MakeOffer("small", 0.1)});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->offer.idea, "small");
  choice = rules.Choose({MakeOffer("large", 0.3, false, {"two", "three"})});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->offer.settings, std::vector<std::string>{"three"});
}

TEST(RoundRules, AfterTwoLeverRoundsComesAStructuralOne) {
  RoundRules rules;
  const std::vector<Offer> offers{MakeOffer("levers", 0.5), MakeOffer("structure", 0.1, true)};
  rules.Close(Lever(1));
  EXPECT_EQ(rules.Choose(offers)->offer.idea, "levers");
  rules.Close(Lever(2));
  EXPECT_TRUE(rules.StructuralDue());
  EXPECT_EQ(rules.Choose(offers)->offer.idea, "structure");
  rules.Close(Structural(3));
  EXPECT_EQ(rules.Choose(offers)->offer.idea, "levers");
}

TEST(RoundRules, WithoutAStructuralIdeaLeversGoOn) {
  RoundRules rules;
  rules.Close(Lever(1));
  rules.Close(Lever(2));
  const auto choice = rules.Choose({MakeOffer("levers", 0.5)});
  ASSERT_TRUE(choice);
  EXPECT_TRUE(choice->structural_due);
  EXPECT_FALSE(choice->structural_offered);
}

TEST(RoundRules, WideScreeningIsNoLeverRound) {
  RoundRules rules;
  ClosedRound wide;
  rules.Close(wide);
  rules.Close(wide);
  EXPECT_FALSE(rules.StructuralDue());
}

TEST(RoundRules, FiveFailedBuildsAbandonAnIdea) {
  RoundRules rules;
  for (int i = 0; i < 4; ++i) rules.OnBuild("large", false);
  EXPECT_EQ(rules.Choose({MakeOffer("large", 0.3)})->offer.idea, "large");
  rules.OnBuild("large", false);
  EXPECT_TRUE(rules.Abandoned("large"));
  EXPECT_FALSE(rules.Choose({MakeOffer("large", 0.3)}));
  rules.OnBuild("large", true);
  EXPECT_TRUE(rules.Abandoned("large")) << "for good";
  EXPECT_FALSE(rules.Abandoned("small"));
}

TEST(RoundRules, ABuildThatSucceedsEndsTheRow) {
  RoundRules rules;
  for (int i = 0; i < 4; ++i) rules.OnBuild("large", false);
  rules.OnBuild("large", true);
  for (int i = 0; i < 4; ++i) rules.OnBuild("large", false);
  EXPECT_FALSE(rules.Abandoned("large"));
}

TEST(RoundRules, AnAbandonedIdeaStaysSoAfterARestart) {
  RoundRules rules;
  ClosedRound closed = Lever(1);
  closed.idea = "large";
  closed.failed_builds = 5;
  rules.Close(closed);
  EXPECT_TRUE(rules.Abandoned("large"));
}

TEST(RoundRules, ARowOfFailuresThatEndedIsNotTakenUpAgain) {
  RoundRules rules;
  ClosedRound closed = Lever(1);
  closed.idea = "large";
  closed.failed_builds = 4;
  rules.Close(closed);
  closed.failed_builds = 0;
  rules.Close(closed);
  EXPECT_EQ(rules.FailedBuilds("large"), 0);
}

TEST(RoundRules, TheRowOfDiscardsDecidesTheStep) {
  RoundRules rules;
  const auto discard = [&] { rules.Close(Lever(1, Decision::kDiscard)); };
  for (int i = 0; i < 6; ++i) discard();
  EXPECT_EQ(rules.Next(), Step::kGoOn);
  discard();
  EXPECT_EQ(rules.Next(), Step::kLookDeeper);
  EXPECT_EQ(rules.BaseOf(kBases), kBases[0].config);
  discard();
  EXPECT_EQ(rules.Next(), Step::kSwitchBase);
  EXPECT_EQ(rules.BaseOf(kBases), kBases[1].config);
  EXPECT_EQ(rules.BaseOf({kBases[0]}), kBases[0].config) << "there is no other";
  discard();
  EXPECT_EQ(rules.Next(), Step::kSwitchBase);
  discard();
  EXPECT_EQ(rules.Next(), Step::kLocalOptimum);
}

TEST(RoundRules, AKeepEndsTheRowAndAnAttemptDoesNot) {
  RoundRules rules;
  for (int i = 0; i < 7; ++i) rules.Close(Lever(1, Decision::kDiscard));
  rules.Close(Lever(8));
  EXPECT_EQ(rules.DiscardRow(), 7);
  rules.Close(Lever(9, Decision::kKeep));
  EXPECT_EQ(rules.DiscardRow(), 0);
  EXPECT_EQ(rules.Next(), Step::kGoOn);
}

TEST(RoundRules, StopNearTheRoofline) {
  const RoundRules rules;
  EXPECT_TRUE(rules.AtRoofline(0.97, 1.0));
  EXPECT_FALSE(rules.AtRoofline(0.96, 1.0));
  EXPECT_FALSE(rules.AtRoofline(0, 1.0)) << "no floor is known";
}

TEST(RoundAudit, AGoodSessionBreaksNothing) {
  const RuleReport report = AuditRounds(GoodRow(10));
  EXPECT_TRUE(report.broken.empty()) << report.broken.front();
  EXPECT_EQ(report.rounds, 10);
  EXPECT_EQ(report.idea_rounds, 10);
  EXPECT_EQ(report.structural_rounds, 5);
  EXPECT_EQ(report.longest_discard_row, 10);
  EXPECT_EQ(report.deeper_looks, 1);
  EXPECT_EQ(report.base_switches, 2);
  EXPECT_EQ(report.combinations, 10);
  EXPECT_EQ(report.longest_lever_row, 1);
  EXPECT_TRUE(ToJson(report).at("broken").empty());
}

struct Broken {
  const char* name;
  std::vector<ClosedRound> rounds;
  const char* message;
};

std::vector<Broken> BrokenSessions() {
  std::vector<Broken> sessions;
  auto rounds = GoodRow(10);
  rounds.push_back(Lever(11));
  rounds.back().base = kBases[1].config;
  sessions.push_back({"BeyondTheOptimum", rounds, "round 11 followed 10 DISCARDs in a row"});
  rounds = GoodRow(8);
  rounds[7].deeper_look = false;
  sessions.push_back({"NoDeeperLook", rounds, "round 8 took no deeper look after 7 DISCARDs in a row"});
  rounds = GoodRow(9);
  rounds[8].base = kBases[0].config;
  sessions.push_back({"NoSwitch", rounds, "round 9 kept its base after 8 DISCARDs in a row"});
  rounds = {Lever(1), Lever(2), Lever(3)};
  rounds[2].structural_offered = true;
  sessions.push_back({"ThreeLeverRounds", rounds, "round 3 moved levers after 2 lever-only rounds"});
  rounds = {Lever(1), Structural(2)};
  rounds[1].idea = rounds[0].idea;
  rounds[1].settings = rounds[0].settings;
  sessions.push_back({"Repeated", rounds, "round 2 tried setting1 for idea1 again"});
  rounds = {Lever(1), Structural(2)};
  rounds[0].failed_builds = 5;
  rounds[1].idea = rounds[0].idea;
  sessions.push_back({"Abandoned", rounds, "round 2 tried idea1, which was abandoned"});
  rounds = {Lever(1)};
  rounds[0].base = "tiled C";
  sessions.push_back({"OtherBase", rounds, "round 1 started from a kernel that is no active base"});
  rounds = {Lever(1), Lever(1)};
  rounds[1].idea = "another";
  sessions.push_back({"TwoIdeas", rounds, "round 1 is closed twice: one idea a round"});
  return sessions;
}

class RoundAuditBroken : public ::testing::TestWithParam<Broken> {};

TEST_P(RoundAuditBroken, IsSaid) {
  const RuleReport report = AuditRounds(GetParam().rounds);
  EXPECT_EQ(report.broken, std::vector<std::string>{GetParam().message});
}

INSTANTIATE_TEST_SUITE_P(Rules, RoundAuditBroken, ::testing::ValuesIn(BrokenSessions()),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace croq::tune
