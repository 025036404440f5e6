#include "croq/tune/idea_rounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "croq/tune/round_loop.h"
#include "croq/tune/round_records.h"
#include "support/fake_profiles.h"
#include "support/space_factory.h"
#include "unit/tune/tune_fixture.h"

namespace croq::tune {
namespace {

using croq::testing::FakeProfiles;
using croq::testing::SpaceFactory;
using ::testing::HasSubstr;

Config Tiled(std::int64_t block_k, std::int64_t stages, std::int64_t warps) {
  return SpaceFactory::ConfigOf("tiled", block_k, stages, warps);
}

Config Persistent(std::int64_t block_k, std::int64_t stages, std::int64_t warps) {
  return SpaceFactory::ConfigOf("persistent", block_k, stages, warps);
}

/// Whole sessions over a small space: the first round tries `first`, ideas follow.
class IdeaRoundsTest : public TuneTest {
 protected:
  IdeaRoundsTest() {
    StoreBaseline();
    settings_.counters = &profiles_;
    First(Tiled(64, 3, 4), 1.0);
  }

  void First(const Config& config, double ms) {
    strategy_->proposals.push_back(config);
    Takes(config, ms);
  }

  void Takes(const Config& config, double ms) { evaluator_->times[config.Text()] = ms; }

  /// Everything but what a test names is slower than the start.
  RunSummary Run(int rounds, std::int64_t trials = 0) {
    for (const VariantSpace& variant : space_factory_.Space().variants) {
      for (const std::int64_t k : {32, 64, 128}) {
        for (const std::int64_t s : {2, 3, 4, 5}) {
          for (const std::int64_t w : {4, 8}) {
            const Config config = SpaceFactory::ConfigOf(variant.variant, k, s, w);
            evaluator_->times.try_emplace(config.Text(), 1.5 + 0.01 * static_cast<double>(k + s));
          }
        }
      }
    }
    Session session{shape_,     device_,      paths_,       TritonContract(), {"/opt/croq/bin"},
                    space_factory_, *journal_, *builder_,   *evaluator_,      *scripts_,
                    rules_,     *strategy_,   *observer_,   interrupted_,     baseline_ms_,
                    &settings_};
    RoundLoop loop(session, WorkFolder());
    Must(loop.Restore());
    Must(loop.Warm({rounds, trials, 0}));
    return Must(loop.Run({rounds, trials, 0}, 0, 0));
  }

  /// What speaks for more stages, and less of it the more there are.
  void WaitsForMemory() {
    profiles_.shape = [](const Candidate& candidate, profile::KernelProfile& profile) {
      const auto stages = static_cast<double>(candidate.config.Int("num_stages"));
      profile.Set("stall_long_scoreboard_pct", 210 / stages, "smsp__long");
    };
  }

  std::vector<journal::Idea> StoredIdeas() { return Must(journal_->read().Ideas()); }
  std::vector<std::string> TriedIdeas() {
    std::vector<std::string> ids;
    for (const nlohmann::json& event : observer_->Of("idea")) ids.push_back(event.at("idea"));
    return ids;
  }
  nlohmann::json LastRules() { return observer_->Of("rules").back(); }

  SpaceFactory space_factory_;
  FakeProfiles profiles_;
  IdeaSettings settings_;
};

TEST_F(IdeaRoundsTest, TheFirstRoundScreensWidelyAndAnIdeaFollows) {
  WaitsForMemory();
  Takes(Tiled(64, 4, 4), 0.8);
  Run(2);
  const std::vector<Iteration> iterations = StoredIterations();
  ASSERT_EQ(iterations.size(), 3U);
  EXPECT_EQ(iterations[1].config, Tiled(64, 3, 4).Text());
  EXPECT_EQ(iterations[1].bottleneck, "latency_bound");
  EXPECT_EQ(iterations[2].config, Tiled(64, 4, 4).Text());
  EXPECT_EQ(iterations[2].decision, Decision::kKeep);
  const std::vector<journal::Idea> ideas = StoredIdeas();
  ASSERT_EQ(ideas.size(), 2U);
  EXPECT_EQ(ideas[0].idea_id, "");
  EXPECT_FALSE(ideas[1].idea_id.empty());
  EXPECT_EQ(ideas[1].base, Tiled(64, 3, 4).Text());
  EXPECT_EQ(ideas[1].bottleneck, "latency_bound");
  EXPECT_THAT(ideas[1].evidence, HasSubstr("latency_bound"));
  EXPECT_THAT(ideas[1].expected, HasSubstr("times as fast; "));
  EXPECT_GT(ideas[1].expected_gain, 1);
  EXPECT_NEAR(ideas[1].actual_gain, 1.25, 1e-9);
}

TEST_F(IdeaRoundsTest, AllTrialsOfARoundAreOfOneIdeaOnOneBase) {
  // More than the wide round takes: what it has in flight belongs to it.
  for (const std::int64_t k : {32, 128}) First(Tiled(k, 2, 8), 1.4);
  Run(2);
  const std::string base = Tiled(64, 3, 4).Text();
  const std::vector<std::string> ids = TriedIdeas();
  ASSERT_EQ(ids.size(), 1U);
  for (const Trial& trial : StoredTrials()) {
    if (trial.round != 2) continue;
    EXPECT_NE(trial.config.Text(), base);
    EXPECT_EQ(observer_->Of("idea")[0].at("base"), base);
  }
}

TEST_F(IdeaRoundsTest, CountersBeforeAndAfterAreStored) {
  WaitsForMemory();
  Takes(Tiled(64, 5, 4), 0.8);
  Run(2);
  const journal::Idea idea = StoredIdeas().at(1);
  const nlohmann::json counters = nlohmann::json::parse(idea.counters);
  ASSERT_FALSE(counters.empty());
  EXPECT_EQ(counters[0].at("figure"), "stall_long_scoreboard_pct");
  EXPECT_EQ(counters[0].at("before"), 70);
  EXPECT_EQ(counters[0].at("after"), 42);
  EXPECT_EQ(counters[0].at("as_expected"), true);
  EXPECT_THAT(idea.actual, HasSubstr("stall_long_scoreboard_pct 70 -> 42 (expected down)"));
  EXPECT_NE(Must(journal_->read().ProfileText(Tiled(64, 5, 4).Text())), std::nullopt);
}

TEST_F(IdeaRoundsTest, EveryKernelIsProfiledOnce) {
  Takes(Tiled(64, 4, 4), 0.8);
  Run(4);
  std::set<std::string> seen(profiles_.profiled.begin(), profiles_.profiled.end());
  EXPECT_EQ(seen.size(), profiles_.profiled.size());
  EXPECT_EQ(observer_->Of("profile").size(), profiles_.profiled.size());
}

TEST_F(IdeaRoundsTest, EachProfileIsOfTheCandidatesKernelAndKeptWithItsIteration) {
  Takes(Tiled(64, 4, 4), 0.8);
  Run(4);
  std::vector<int> iterations;
  for (const Iteration& one : StoredIterations()) {
    if (one.number > 0) iterations.push_back(one.number);
  }
  std::vector<int> wished;
  for (const ProfileWish& wish : profiles_.wishes) wished.push_back(wish.iteration);
  EXPECT_EQ(wished, iterations);
  ASSERT_FALSE(observer_->Of("profile").empty());
  for (const nlohmann::json& event : observer_->Of("profile")) {
    EXPECT_FALSE(event.at("kernel").get<std::string>().empty());
    EXPECT_EQ(event.at("kernel"), event.at("candidate"));
  }
}

TEST_F(IdeaRoundsTest, NoSettingIsTriedTwice) {
  Run(8);
  std::set<std::string> seen;
  for (const Trial& trial : StoredTrials()) {
    EXPECT_TRUE(seen.insert(trial.config.Text()).second) << trial.config.Text();
  }
  EXPECT_EQ(LastRules().at("repeated_combinations"), 0);
}

TEST_F(IdeaRoundsTest, ASessionBreaksNoRule) {
  Takes(Persistent(64, 3, 4), 0.9);
  Takes(Persistent(64, 4, 4), 0.8);
  Run(9);
  const nlohmann::json rules = LastRules();
  EXPECT_TRUE(rules.at("broken").empty()) << rules.dump(2);
  EXPECT_LE(rules.at("longest_lever_row"), 2);
  EXPECT_GT(rules.at("structural_rounds"), 0);
  EXPECT_GT(rules.at("idea_rounds"), 3);
}

TEST_F(IdeaRoundsTest, FailedBuildsAbandonAnIdeaAndLeaveAnAttempt) {
  // Speaks for the other variant, which has many configurations.
  profiles_.shape = [](const Candidate&, profile::KernelProfile& profile) {
    profile.Set("tensor_pct", 20, "t");
    profile.Set("conflict_pct", 40, "c");
  };
  builder_->shape = [](const CompileJob& job, BuildResult& result) {
    if (job.kernel != "tiled_64_s3_w4") {
      result.outcome = Outcome::kCompile;
      result.reason = "ptxas says no";
    }
  };
  Run(2);
  ASSERT_EQ(StoredAttempts().size(), 1U);
  EXPECT_EQ(StoredAttempts()[0].outcome, Outcome::kCompile);
  const journal::Idea idea = StoredIdeas().at(1);
  EXPECT_EQ(idea.iter, "attempt0001");
  EXPECT_THAT(idea.actual, HasSubstr("no configuration of the idea"));
  EXPECT_EQ(LastRules().at("abandoned"), nlohmann::json::array({idea.idea_id}));
  // Four builds were in flight when the fifth failed at the latest.
  EXPECT_LE(builder_->submitted.size(), 1U + 5U + 4U);
}

TEST_F(IdeaRoundsTest, TheFirstOfAskedForRoundsScreensItsShareAndNoMore) {
  for (const std::int64_t k : {32, 128}) {
    for (const std::int64_t s : {2, 3, 4, 5}) First(Tiled(k, s, 8), 1.4);
  }
  Run(3, 9);
  EXPECT_EQ(std::ranges::count(StoredTrials(), 1, &Trial::round), 3);
  EXPECT_EQ(observer_->Of("idea").size(), 2U);
}

TEST_F(IdeaRoundsTest, WithoutCountersProfilesAreStatic) {
  settings_.counters = nullptr;
  settings_.no_counters = "--no-profile";
  Run(2);
  ASSERT_FALSE(observer_->Of("profile").empty());
  for (const nlohmann::json& event : observer_->Of("profile")) {
    EXPECT_EQ(event.at("static"), true);
    EXPECT_EQ(event.at("reason"), "--no-profile");
    EXPECT_EQ(event.at("kernel"), "");
  }
  EXPECT_EQ(observer_->Of("idea").size(), 1U);
}

TEST_F(IdeaRoundsTest, CountersThatFailAreSaidAndRoundsGoOn) {
  profiles_.error = "no permission for the counters";
  Run(3);
  const std::string said = "no counters, so this profile is static: no permission for the counters";
  EXPECT_THAT(observer_->Messages("warning"), HasSubstr(said));
  EXPECT_EQ(profiles_.profiled.size(), 2U) << "given up after two in a row";
  EXPECT_EQ(StoredIterations().size(), 4U);
}

TEST_F(IdeaRoundsTest, TenDiscardsInARowEndTheSession) {
  for (const std::int64_t k : {32, 128}) {
    for (const std::int64_t s : {2, 3}) First(Persistent(k, s, 8), 1.4);
  }
  settings_.limits.deeper_look = 3;
  settings_.limits.switch_base = 4;
  settings_.limits.local_optimum = 6;
  int looks = 0;
  settings_.sass = [&](const Candidate& best) -> Result<nlohmann::json> {
    ++looks;
    return nlohmann::json{{"of", best.config.Text()}};
  };
  const RunSummary summary = Run(30);
  EXPECT_EQ(summary.ended_by, "local optimum");
  EXPECT_EQ(looks, 1);
  ASSERT_EQ(observer_->Of("deeper_look").size(), 1U);
  const nlohmann::json look = observer_->Of("deeper_look")[0];
  EXPECT_EQ(look.at("sass").at("of"), Tiled(64, 3, 4).Text());
  EXPECT_EQ(look.at("counters").at("bottleneck"), "latency_bound");
  EXPECT_EQ(look.at("baseline_counters").at("bottleneck"), "compute_bound");
  EXPECT_EQ(LastRules().at("discard_row"), 6);
  EXPECT_TRUE(LastRules().at("broken").empty()) << LastRules().dump(2);
}

TEST_F(IdeaRoundsTest, TheRulesGoOnAfterARestart) {
  Run(4);
  const nlohmann::json before = LastRules();
  Restart();
  First(Tiled(32, 2, 8), 1.9);
  Run(3);
  const nlohmann::json after = LastRules();
  EXPECT_EQ(after.at("rounds"), before.at("rounds").get<int>() + 3);
  EXPECT_EQ(after.at("repeated_combinations"), 0);
  EXPECT_TRUE(after.at("broken").empty()) << after.dump(2);
}

TEST_F(IdeaRoundsTest, TheRooflineEndsTheSession) {
  const double floor_ms = shape_.Flops() / (device_.peak_tflops_f16 * 1e12) * 1e3;
  Takes(Tiled(64, 3, 4), floor_ms / 0.98);
  const RunSummary summary = Run(5);
  EXPECT_EQ(summary.ended_by, "roofline");
  EXPECT_EQ(StoredIterations().size(), 2U);
}

TEST_F(IdeaRoundsTest, IdeasThatMissedBeforeSink) {
  Run(2);
  const std::string first = TriedIdeas().at(0);
  settings_.history = {{first, 6, 0}};
  Restart();
  First(Tiled(32, 2, 8), 1.9);
  // Another session of the same operator.
  info_.model = "other";
  paths_ = journal::PathsOf(folder_.path(), info_);
  Restart();
  StoreBaseline();
  First(Tiled(64, 3, 4), 1.0);
  Run(2);
  EXPECT_NE(TriedIdeas().at(0), first);
}

}  // namespace
}  // namespace croq::tune
