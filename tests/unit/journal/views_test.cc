#include "croq/journal/views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "unit/journal/journal_fixture.h"

namespace croq::journal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

TEST(Escaping, IsUndoneByUnescape) {
  EXPECT_TRUE(rc::check("any bytes", [](const std::string& text) {
    const std::string field = EscapeField(text);
    RC_ASSERT(field.find_first_of("\t\n\r") == std::string::npos);
    RC_ASSERT(UnescapeField(field) == text);
  }));
  EXPECT_TRUE(rc::check("mostly special characters", [] {
    const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(
        std::string("\t\n\r\\tnr ab")));
    RC_ASSERT(UnescapeField(EscapeField(text)) == text);
  }));
}

TEST(Escaping, RefusesAStrayBackslash) {
  EXPECT_FALSE(UnescapeField("a\\"));
  EXPECT_FALSE(UnescapeField("\\x"));
}

TEST(JsonLines, AreOneLineOfValidJsonWhateverTheText) {
  EXPECT_TRUE(rc::check("any bytes", [](const std::string& text) {
    Attempt attempt;
    attempt.reason = text;
    const std::string line = AttemptLine(attempt);
    RC_ASSERT(line.find('\n') == line.size() - 1);
    RC_ASSERT(nlohmann::json::accept(line));
  }));
}

Views Sample() {
  Iteration keep = MakeIteration(1, "tiled_128");
  keep.idea = "wider tiles\nand a\ttab, a \\ too";
  Iteration discard = MakeIteration(2, "persistent");
  discard.decision = Decision::kDiscard;
  discard.bottleneck = "";
  discard.tflops = 98.999;
  Iteration predicted = MakeIteration(3, "guess");
  predicted.predicted = true;
  Idea idea{"iter001", "memory_bound", "dram 91%", "larger BLOCK_K", "+5%", "+3.1%",
            Decision::kKeep, 1769860801000};
  Attempt attempt{1, "tma", "tiled BLOCK_M=256", Outcome::kCompile, "ptxas: \"smem\"\n256 KB",
                  "logs/x.log", 2, 1769860802000};
  Idea round{"attempt0001", "latency_bound", "long_scoreboard 41%", "deeper pipeline", "1.10x",
             "nothing was built", Decision::kDiscard, 1769860803000};
  round.round = 2;
  round.idea_id = "latency_more_stages";
  round.base = "tiled BLOCK_M=128";
  round.expected_gain = 1.1;
  round.counters = R"([{"figure":"tensor_pct","expected":"up","before":51.5,"after":null}])";
  return RenderViews({MakeIteration(0, "baseline"), keep, discard, predicted}, {idea, round},
                     {attempt});
}

TEST(GoldenViews, AreTheirFiles) {
  const Views views = Sample();
  const fs::path folder = fs::path(CROQ_SOURCE_DIR) / "tests/golden/journal/views";
  const bool accept = std::getenv("CROQ_ACCEPT") != nullptr;
  for (const auto& [name, text] : {std::pair("results.tsv", &views.results),
                                   std::pair("predicted.tsv", &views.predicted),
                                   std::pair("idea-log.jsonl", &views.ideas),
                                   std::pair("attempt-log.jsonl", &views.attempts)}) {
    if (accept) {
      fs::create_directories(folder);
      ASSERT_TRUE(WriteFileAtomic(folder / name, *text));
    } else {
      EXPECT_EQ(ReadFile(folder / name).value_or("(absent)"), *text) << name;
    }
  }
  if (accept) GTEST_SKIP() << "golden files rewritten";
}

class ViewRepair : public JournalTest {
 protected:
  void SetUp() override {
    Open();
    Commit("baseline");
    Idea idea;
    idea.idea = "wider tiles";
    Commit("tiled", Decision::kKeep, idea);
    results_ = Text("results.tsv");
    ideas_ = Text("idea-log.jsonl");
    journal_.reset();
  }

  void ExpectRepaired(const std::string& sentence) {
    Open();
    EXPECT_THAT(journal_->opened().repairs, ElementsAre(sentence));
    EXPECT_EQ(Text("results.tsv"), results_);
    EXPECT_EQ(Text("idea-log.jsonl"), ideas_);
  }

  std::string results_;
  std::string ideas_;
};

TEST_F(ViewRepair, AppendedViewsAreWhatTheJournalRenders) {
  Open();
  EXPECT_THAT(journal_->opened().repairs, IsEmpty());
  EXPECT_THAT(results_, HasSubstr("iter001\titer001_tiled\t701.12\tKEEP\t"));
  EXPECT_THAT(ideas_, HasSubstr(R"({"iter":"iter001",)"));
  Commit("third");
  EXPECT_THAT(*journal_->RepairViews(), IsEmpty()) << "appending after a restart fits too";
}

TEST_F(ViewRepair, AMissingView) {
  fs::remove(paths().Logs() / "idea-log.jsonl");
  ExpectRepaired("idea-log.jsonl was missing: rewritten from the journal");
}

TEST_F(ViewRepair, ATornTail) {
  fs::resize_file(paths().Logs() / "results.tsv", results_.size() - 3);
  ExpectRepaired("results.tsv ended in a torn line: rewritten from the journal");
}

TEST_F(ViewRepair, ALineThatWasNeverAppended) {
  const std::size_t lines = results_.rfind('\n', results_.size() - 2) + 1;
  fs::resize_file(paths().Logs() / "results.tsv", lines);
  ExpectRepaired("results.tsv was behind the journal: rewritten from the journal");
}

TEST_F(ViewRepair, AnEditIsUndoneAndKeptBesideIt) {
  std::ofstream(paths().Logs() / "results.tsv", std::ios::app) << "a note of mine\n";
  ExpectRepaired("results.tsv was changed by other hands: rewritten from the journal, the old text"
                 " is in results.tsv.bak");
  EXPECT_EQ(Text("results.tsv.bak"), results_ + "a note of mine\n");
}

TEST_F(ViewRepair, AChangeWhileTheJournalIsOpenIsMendedByTheNextLine) {
  Open();
  fs::remove(paths().Logs() / "idea-log.jsonl");
  std::ofstream(paths().Logs() / "results.tsv", std::ios::app) << "torn";
  Commit("third", Decision::kDiscard, Idea{});
  Open();
  EXPECT_THAT(journal_->opened().repairs, IsEmpty());
  EXPECT_THAT(Text("results.tsv"), HasSubstr("iter002_third"));
  EXPECT_THAT(Text("idea-log.jsonl"), HasSubstr("iter002"));
}

}  // namespace
}  // namespace croq::journal
