#include "croq/journal/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "croq/journal/views.h"
#include "unit/journal/journal_fixture.h"

namespace croq::journal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

TEST_F(JournalTest, MakesThenResumesASession) {
  Open();
  EXPECT_FALSE(journal_->opened().resumed);
  EXPECT_THAT(journal_->opened().repairs, IsEmpty());
  EXPECT_EQ(Text("results.tsv"), ResultsHeader());
  EXPECT_FALSE(fs::exists(paths().Logs() / "predicted.tsv"));
  info_.seed = "7";
  Open();
  EXPECT_TRUE(journal_->opened().resumed);
  EXPECT_THAT(journal_->opened().repairs, IsEmpty());
  EXPECT_EQ(journal_->session().seed, "12345678901234567890") << "the first run's seed stays";
  EXPECT_GT(journal_->session().created_millis, 0);
}

TEST_F(JournalTest, SaysWhichPartsOfTheEnvironmentChangedUntilTheyAreAccepted) {
  Open();
  info_.environment.triton = "3.7.1";
  info_.environment.torch = "";
  for (int opening = 0; opening < 2; ++opening) {
    Open();
    EXPECT_THAT(journal_->opened().environment_changes,
                ElementsAre("triton 3.6.0 -> 3.7.1", "torch 2.13.0 -> none"));
  }
  ASSERT_TRUE(journal_->AcceptEnvironment());
  EXPECT_THAT(journal_->opened().environment_changes, IsEmpty());
  Open();
  EXPECT_THAT(journal_->opened().environment_changes, IsEmpty());
}

TEST_F(JournalTest, RefusesAStoreOfAnotherShapeEvenWhereOnlyOneCharacterDiffers) {
  Open();
  journal_.reset();
  SessionInfo other = info_;
  other.shape_key = "matmul_f16fp32_4096x4096x4097";
  const SessionPaths elsewhere = PathsOf(folder_.path(), other);
  fs::create_directories(elsewhere.Logs());
  fs::copy_file(paths().Journal(), elsewhere.Journal());
  const auto opened = Journal::Open(elsewhere, other);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(opened.error().message, HasSubstr("matmul_f16fp32_4096x4096x4096"));
  EXPECT_THAT(opened.error().message, HasSubstr("matmul_f16fp32_4096x4096x4097"));
}

TEST_F(JournalTest, KeepsEveryFieldOfATrial) {
  Open();
  Trial trial = MakeTrial(5);
  trial.reason = "tab\there, line\nthere";
  trial.log = "work/5.log";
  trial.time_ms = std::numeric_limits<double>::quiet_NaN();
  trial.max_abs_err = std::numeric_limits<double>::infinity();
  trial.predicted = true;
  trial.config.values["EVICT_A"] = std::string("evict_last");
  ASSERT_EQ(journal_->AppendTrial(trial), 1);
  ASSERT_TRUE(journal_->Flush());
  const auto trials = journal_->read().Trials(10);
  ASSERT_TRUE(trials) << trials.error().message;
  ASSERT_EQ(trials->size(), 1U);
  const Trial& found = trials->front();
  EXPECT_EQ(found.id, 1);
  EXPECT_EQ(found.round, trial.round);
  EXPECT_EQ(found.config, trial.config);
  EXPECT_EQ(found.outcome, Outcome::kCompile);
  EXPECT_EQ(found.reason, trial.reason);
  EXPECT_EQ(found.log, trial.log);
  EXPECT_TRUE(std::isnan(found.time_ms));
  EXPECT_TRUE(std::isinf(found.max_abs_err));
  EXPECT_EQ(found.build.registers, 128);
  EXPECT_EQ(found.build.local_bytes, 16);
  EXPECT_EQ(found.build.shared_bytes, 98304);
  EXPECT_EQ(found.build.compile_ms, 412.5);
  EXPECT_EQ(found.build.cubin_fingerprint, "0123456789abcdef");
  EXPECT_EQ(found.device_state, "1980 MHz");
  EXPECT_TRUE(found.predicted);
  EXPECT_EQ(found.at_millis, trial.at_millis);
}

TEST_F(JournalTest, CommitsTrialsInBatchesThatAreAtMostAQuarterSecondOld) {
  Open();
  const SteadyTime start{};
  const auto at = [&](int millis) { return start + std::chrono::milliseconds(millis); };
  ASSERT_TRUE(journal_->AppendTrial(MakeTrial(1), at(0)));
  ASSERT_TRUE(journal_->AppendTrial(MakeTrial(2), at(249)));
  EXPECT_EQ(journal_->read().TrialCount(), 0);
  ASSERT_TRUE(journal_->FlushIfDue(at(249)));
  EXPECT_EQ(journal_->read().TrialCount(), 0);
  ASSERT_TRUE(journal_->FlushIfDue(at(250)));
  EXPECT_EQ(journal_->read().TrialCount(), 2);
  ASSERT_TRUE(journal_->AppendTrial(MakeTrial(3), at(300)));
  ASSERT_TRUE(journal_->AppendTrial(MakeTrial(4), at(560)));
  EXPECT_EQ(journal_->read().TrialCount(), 4) << "an append commits a batch that is due";
}

TEST_F(JournalTest, AnIterationTakesTheTrialsBeforeItAlong) {
  Open();
  ASSERT_TRUE(journal_->AppendTrial(MakeTrial(1)));
  Commit("baseline");
  EXPECT_EQ(journal_->read().TrialCount(), 1);
}

TEST_F(JournalTest, ListsTriedConfigsAndPagesThroughTrials) {
  Open();
  for (int n = 1; n <= 25; ++n) ASSERT_EQ(journal_->AppendTrial(MakeTrial(n)), n);
  ASSERT_TRUE(journal_->Flush());
  const auto tried = journal_->read().TriedConfigs();
  ASSERT_EQ(tried->size(), 25U);
  EXPECT_EQ(tried->at(4).config, "tiled BLOCK_M=64 INDEX=5");
  EXPECT_EQ(tried->at(4).outcome, Outcome::kCompile);
  EXPECT_EQ(tried->at(4).time_ms, 5.5);
  const auto page = journal_->read().Trials(10, 20);
  ASSERT_EQ(page->size(), 5U);
  EXPECT_EQ(page->front().id, 21);
  Open();
  EXPECT_EQ(journal_->AppendTrial(MakeTrial(26)), 26) << "numbering goes on after a restart";
}

TEST_F(JournalTest, TheClosingJournalWritesWhatIsBuffered) {
  Open();
  ASSERT_TRUE(journal_->AppendTrial(MakeTrial(1)));
  Open();
  EXPECT_EQ(journal_->read().TrialCount(), 1);
}

TEST_F(JournalTest, NumbersIterationsFromZeroAndKeepsEveryField) {
  Open();
  Commit("baseline");
  Commit("tiled_128", Decision::kKeep);
  const auto all = journal_->read().Iterations();
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 2U);
  const Iteration wanted = MakeIteration(1, "tiled_128");
  const Iteration& found = all->at(1);
  EXPECT_EQ(found.Name(), "iter001_tiled_128");
  EXPECT_EQ(found.round, wanted.round);
  EXPECT_EQ(found.config, wanted.config);
  EXPECT_EQ(found.decision, Decision::kKeep);
  EXPECT_EQ(found.bottleneck, wanted.bottleneck);
  EXPECT_EQ(found.idea, wanted.idea);
  EXPECT_EQ(found.tflops, wanted.tflops);
  EXPECT_EQ(found.time_ms, wanted.time_ms);
  EXPECT_EQ(found.cold_ms, wanted.cold_ms);
  EXPECT_EQ(found.ratio, wanted.ratio);
  EXPECT_EQ(found.ratio_low, wanted.ratio_low);
  EXPECT_EQ(found.ratio_high, wanted.ratio_high);
  EXPECT_EQ(found.best_ratio, wanted.best_ratio);
  EXPECT_EQ(found.script_tflops, wanted.script_tflops);
  EXPECT_TRUE(found.verified);
  EXPECT_EQ(found.max_abs_err, wanted.max_abs_err);
  EXPECT_EQ(found.build.registers, wanted.build.registers);
  EXPECT_EQ(found.build.cubin_fingerprint, wanted.build.cubin_fingerprint);
  EXPECT_FALSE(found.predicted);
  EXPECT_EQ(found.at_millis, wanted.at_millis);
}

TEST_F(JournalTest, TheBestIsTheLastKeepAndNeverTheBaseline) {
  Open();
  Commit("baseline");
  EXPECT_FALSE(journal_->read().Best()->has_value());
  Commit("first", Decision::kKeep);
  Commit("second", Decision::kKeep);
  Commit("third", Decision::kDiscard);
  EXPECT_EQ(journal_->read().Best()->value().tag, "second");
}

TEST_F(JournalTest, AnUnfinishedIterationIsFoundAgainWithItsNumber) {
  Open();
  Commit("baseline");
  ASSERT_EQ(journal_->BeginIteration("tiled", "tiled BLOCK_M=64", 3), 1);
  EXPECT_FALSE(journal_->BeginIteration("other", "tiled BLOCK_M=32", 3)) << "one at a time";
  Open();
  const auto open = journal_->FindOpenIteration();
  ASSERT_TRUE(open->has_value());
  EXPECT_EQ((*open)->number, 1);
  EXPECT_EQ((*open)->tag, "tiled");
  EXPECT_EQ((*open)->config, "tiled BLOCK_M=64");
  EXPECT_EQ((*open)->round, 3);
  EXPECT_EQ(journal_->read().Iterations()->size(), 1U) << "what is open is no result";
  EXPECT_FALSE(journal_->CommitIteration(MakeIteration(1, "wrong_tag")));
  EXPECT_FALSE(journal_->CommitIteration(MakeIteration(2, "tiled")));
  EXPECT_TRUE(journal_->CommitIteration(MakeIteration(1, "tiled")));
  EXPECT_FALSE(journal_->CommitIteration(MakeIteration(1, "tiled"))) << "twice";
}

TEST_F(JournalTest, RefusesATagThatCouldLeaveItsFolder) {
  Open();
  for (const char* tag : {"../x", "a", "", "Upper", "9a", "a b"}) {
    const auto begun = journal_->BeginIteration(tag, "tiled", 0);
    ASSERT_FALSE(begun) << tag;
    EXPECT_EQ(begun.error().kind, ErrorKind::kUsage);
  }
}

TEST_F(JournalTest, PredictedIterationsGoToTheirOwnTable) {
  Open();
  ASSERT_EQ(journal_->BeginIteration("tiled", "tiled", 0), 0);
  Iteration iteration = MakeIteration(0, "tiled");
  iteration.predicted = true;
  ASSERT_TRUE(journal_->CommitIteration(iteration));
  EXPECT_EQ(Text("results.tsv"), ResultsHeader());
  EXPECT_EQ(Text("predicted.tsv"), PredictedHeader() + ResultsLine(iteration));
}

TEST_F(JournalTest, KeepsTheNewestProfileOfAConfiguration) {
  Open();
  EXPECT_EQ(journal_->read().ProfileText("tiled A=1"), std::nullopt);
  ASSERT_TRUE(journal_->SetProfile("tiled A=1", {{"bottleneck", "mixed"}}));
  ASSERT_TRUE(journal_->SetProfile("tiled A=1", {{"bottleneck", "memory_bound"}}));
  EXPECT_EQ(journal_->read().ProfileText("tiled A=1"), R"({"bottleneck":"memory_bound"})");
}

TEST_F(JournalTest, ABottleneckNamedLaterReachesTheView) {
  Open();
  Commit("baseline");
  ASSERT_TRUE(journal_->SetBottleneck(0, "memory_bound"));
  EXPECT_THAT(Text("results.tsv"), HasSubstr("\tmemory_bound\t"));
}

TEST_F(JournalTest, KeepsFacts) {
  Open();
  EXPECT_FALSE(journal_->Fact("cublas")->has_value());
  ASSERT_TRUE(journal_->SetFact("cublas", {{"cold_ms", 0.2}}));
  ASSERT_TRUE(journal_->SetFact("cublas", {{"cold_ms", 0.19}}));
  ASSERT_TRUE(journal_->SetFact("lt", nlohmann::json::array({1, 2})));
  Open();
  EXPECT_EQ(journal_->Fact("cublas")->value()["cold_ms"], 0.19);
  const auto facts = journal_->read().Facts();
  ASSERT_EQ(facts->size(), 2U);
  EXPECT_EQ(facts->at(1).value, "[1,2]");
}

TEST_F(JournalTest, AKilledRunSaysWhatItUsedOfItsBudget) {
  Open();
  EXPECT_FALSE(journal_->FindUnfinishedRun()->has_value());
  const nlohmann::json budget = {{"trials", 100}};
  const auto first = journal_->StartRun({"croq", "tune"}, budget);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_FALSE(journal_->StartRun({"croq"}, budget)) << "one run at a time";
  for (int n = 1; n <= 3; ++n) ASSERT_TRUE(journal_->AppendTrial(MakeTrial(n)));
  Trial rejected = MakeTrial(4);
  rejected.outcome = Outcome::kConstraints;
  ASSERT_TRUE(journal_->AppendTrial(rejected));
  Commit("baseline");
  Open();  // without FinishRun: as after a kill
  const auto unfinished = journal_->FindUnfinishedRun();
  ASSERT_TRUE(unfinished->has_value());
  EXPECT_EQ((*unfinished)->id, *first);
  EXPECT_EQ(nlohmann::json::parse((*unfinished)->budget), budget);
  EXPECT_EQ((*unfinished)->trials, 3) << "a rejected configuration costs no budget";
  EXPECT_EQ((*unfinished)->iterations, 1);
  EXPECT_GE((*unfinished)->seconds, 0);

  ASSERT_TRUE(journal_->StartRun({"croq", "tune"}, budget, *first));
  ASSERT_TRUE(journal_->AppendTrial(MakeTrial(4)));
  Open();
  EXPECT_EQ(journal_->FindUnfinishedRun()->value().trials, 4) << "the chain counts as one";
  const auto last = journal_->StartRun({"croq"}, budget);
  ASSERT_TRUE(last);
  ASSERT_TRUE(journal_->FinishRun(RunStatus::kDone));
  EXPECT_FALSE(journal_->FindUnfinishedRun()->has_value());
}

}  // namespace
}  // namespace croq::journal
