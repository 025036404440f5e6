#include "croq/cli/explain_text.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "croq/base/files.h"
#include "croq/cli/diff_text.h"
#include "croq/cli/explain_session.h"

/// Pages against tests/golden/explain. CROQ_ACCEPT=1 writes them anew.
namespace croq::cli {
namespace {

using ::testing::HasSubstr;

IterationFacts Base() {
  IterationFacts facts;
  facts.iteration.number = 1;
  facts.iteration.tag = "tiled_128x128x64";
  facts.iteration.round = 1;
  facts.iteration.config = "tiled BLOCK_K=64 BLOCK_M=128 num_stages=3";
  facts.iteration.decision = Decision::kKeep;
  facts.iteration.tflops = 600;
  facts.iteration.cold_ms = 0.25;
  facts.iteration.ratio = 0.9;
  facts.iteration.ratio_low = 0.89;
  facts.iteration.ratio_high = 0.91;
  facts.iteration.verified = true;
  facts.iteration.max_abs_err = 0.0005;
  facts.iteration.build = {128, 0, 98304, 350, "a"};
  facts.source = "import triton\n\nBLOCK_K = 64\nNUM_STAGES = 3\n";
  facts.profile.emplace();
  facts.profile->bottleneck = "latency_bound";
  facts.profile->confidence = "medium";
  facts.profile->Set("tensor_pct", 51.5, "sm__pipe_tensor_cycles_active");
  facts.profile->Set("registers", 128, "launch__registers_per_thread");
  facts.sass = profile::SassMix{10, {{"tensor", 4}, {"shared", 6}}, {{"HGMMA", 4}, {"LDS", 6}}};
  journal::Idea idea;
  idea.iter = "iter001";
  idea.round = 1;
  idea.evidence = "300 trials screened so far, 280 correct";
  idea.idea = "tiled levers: fastest of 5 finalists";
  idea.expected = "a first correct kernel";
  idea.actual = "600.0 TFLOPS";
  idea.bottleneck = "latency_bound";
  idea.decision = Decision::kKeep;
  facts.idea = idea;
  return facts;
}

IterationFacts Deeper() {
  IterationFacts facts = Base();
  facts.iteration.number = 2;
  facts.iteration.tag = "desc_128x128x64";
  facts.iteration.round = 2;
  facts.iteration.config = "descriptor BLOCK_K=64 BLOCK_M=128 num_stages=4";
  facts.iteration.tflops = 660;
  facts.iteration.cold_ms = 0.225;
  facts.iteration.best_ratio = 1.11;
  facts.source = "import triton\n\nBLOCK_K = 64\nNUM_STAGES = 4\n";
  facts.profile->bottleneck = "compute_bound";
  facts.profile->Set("tensor_pct", 63, "sm__pipe_tensor_cycles_active");
  facts.profile->Set("conflict_pct", 0, "l1tex__data_bank_conflicts");
  facts.sass = profile::SassMix{9, {{"tensor", 4}, {"copy_engine", 5}}, {}};
  journal::Idea& idea = *facts.idea;
  idea.iter = "iter002";
  idea.round = 2;
  idea.idea_id = "compute_descriptors";
  idea.idea = "compute_descriptors: tensor descriptors";
  idea.base = Base().iteration.config;
  idea.evidence = "latency_bound, sm 51.0% (sm__throughput), registers 200 (cubin)";
  idea.expected = "1.06 times as fast; tensor_pct up, registers down";
  idea.actual = "1.110 times as fast as the best before it [1.100, 1.120]";
  idea.expected_gain = 1.06;
  idea.actual_gain = 1.11;
  idea.counters =
      R"([{"figure":"tensor_pct","expected":"up","before":51.5,"after":63.0,"as_expected":true},)"
      R"({"figure":"registers","expected":"down","before":null,"after":128,"as_expected":null}])";
  return facts;
}

SessionPath Path() {
  SessionPath path;
  path.name = "sm90_NVIDIA_H200/triton/matmul_f16fp32_4096x4096x4096/croq";
  path.summary.info.shape_key = "matmul_f16fp32_4096x4096x4096";
  path.summary.trials = 364;
  path.summary.rejected = 4;
  path.summary.iterations = 3;
  path.summary.attempts = 1;
  Iteration baseline;
  baseline.tag = "torch_matmul";
  baseline.tflops = 680;
  path.iterations = {baseline, Base().iteration, Deeper().iteration};
  path.summary.best = path.iterations.back();
  journal::Idea failed;
  failed.iter = "attempt0001";
  failed.round = 3;
  failed.idea_id = "latency_warp_specialize";
  failed.idea = "latency_warp_specialize: warp specialization";
  failed.base = Deeper().iteration.config;
  failed.bottleneck = "compute_bound";
  failed.evidence = "compute_bound";
  failed.expected = "1.05 times as fast; tensor_pct up";
  failed.actual = "compile: no configuration of the idea came to a new, correct kernel";
  failed.decision = Decision::kDiscard;
  failed.expected_gain = 1.05;
  path.ideas = {*Base().idea, *Deeper().idea, failed};
  path.attempts = {
      {1, "persist", "persistent A=1", Outcome::kCompile, "ptxas | says no", "", 1, 0}};
  profile::KernelProfile counted = *Base().profile;
  counted.kernel = counted.candidate = "tiled_128x128x64";
  profile::KernelProfile unread = *Deeper().profile;
  unread.is_static = true;
  path.profiles = {{Base().iteration.config, counted}, {Deeper().iteration.config, unread}};
  path.rules.rounds = 3;
  path.rules.idea_rounds = 2;
  path.rules.abandoned = {"latency_warp_specialize"};
  return path;
}

void ExpectGolden(const std::string& name, const std::string& text) {
  const auto file =
      std::filesystem::path(CROQ_SOURCE_DIR) / "tests" / "golden" / "explain" / name;
  if (std::getenv("CROQ_ACCEPT") != nullptr) {
    std::filesystem::create_directories(file.parent_path());
    ASSERT_TRUE(WriteFileAtomic(file, text));
    GTEST_SKIP() << "wrote " << file;
  }
  EXPECT_EQ(text, ReadFile(file).value_or("missing: " + file.string()));
}

TEST(Explain, AnIterationIsItsPage) {
  const IterationFacts base = Base();
  ExpectGolden("iteration.md", ExplainIteration(Deeper(), &base));
}

TEST(Explain, TheFirstHasNoParent) {
  const std::string page = ExplainIteration(Base(), nullptr);
  EXPECT_EQ(page.find("## Against"), std::string::npos);
  EXPECT_THAT(page, HasSubstr("300 trials screened so far"));
}

TEST(Explain, ASessionIsItsPage) {
  ExpectGolden("session.md", ExplainSession(Path(), "![TFLOPS by round](path.svg)"));
}

TEST(Explain, ThePlotIsItsFile) { ExpectGolden("path.svg", DrawSvg(PlotOf(Path()))); }

TEST(Explain, BrokenRulesAreSaid) {
  SessionPath path = Path();
  path.rules.broken = {"round 3 did what it must not"};
  EXPECT_THAT(ExplainSession(path, ""), HasSubstr("Broken: round 3 did what it must not"));
}

TEST(Explain, AProfileOfAnotherKernelIsSaid) {
  SessionPath path = Path();
  path.profiles.at(Base().iteration.config).kernel = "elementwise_kernel";
  EXPECT_THAT(ExplainSession(path, ""),
              HasSubstr("counters of `elementwise_kernel`, and the candidate's kernel is "
                        "tiled_128x128x64"));
}

TEST(Explain, KeepsAreCountedByTheCounterTheyAimedAt) {
  SessionPath path = Path();
  EXPECT_EQ(CountKeeps(path).kept, 1);
  EXPECT_EQ(CountKeeps(path).aimed, 1);
  path.ideas[1].counters =
      R"([{"figure":"a","as_expected":null},{"figure":"b","as_expected":false},)"
      R"({"figure":"c","as_expected":true}])";
  EXPECT_EQ(CountKeeps(path).known, 1);
  EXPECT_EQ(CountKeeps(path).aimed, 0) << "the first that is known decides";
  path.ideas[1].counters = "damaged";
  EXPECT_EQ(CountKeeps(path).known, 0);
}

TEST(Explain, TheParentIsTheIdeasBaseOrTheLastKeep) {
  const IterationFacts deeper = Deeper();
  std::vector<Iteration> iterations = Path().iterations;
  EXPECT_EQ(ParentOf(iterations, deeper)->number, 1);
  IterationFacts wide = deeper;
  wide.idea->base.clear();
  EXPECT_EQ(ParentOf(iterations, wide)->number, 1);
  EXPECT_FALSE(ParentOf(iterations, Base()));
}

TEST(Diff, IsItsText) { ExpectGolden("diff.txt", FormatDiff(Base(), Deeper())); }

TEST(Diff, OfOneWithItselfShowsNoChange) {
  const std::string text = FormatDiff(Base(), Base());
  EXPECT_THAT(text, HasSubstr("Configuration\n  the same\n"));
  EXPECT_THAT(text, HasSubstr("Source\n  the same\n"));
}

TEST(Diff, SaysWhyThereIsNoSass) {
  IterationFacts before = Base();
  before.sass.reset();
  before.no_sass = "no cubin was kept";
  EXPECT_THAT(FormatDiff(before, Deeper()),
              HasSubstr("iter001_tiled_128x128x64: no cubin was kept"));
}

TEST(Diff, WhatWasNotMeasuredIsNoZero) {
  IterationFacts bar = Base();
  bar.iteration.tflops = bar.iteration.cold_ms = bar.iteration.ratio = 0;
  bar.iteration.build = {};
  const std::string text = FormatDiff(bar, Deeper());
  EXPECT_THAT(text, ::testing::ContainsRegex("TFLOPS .contract. +- +660"));
  EXPECT_THAT(text, ::testing::ContainsRegex("shared memory +- +96.0 KiB|shared memory +- +96 KiB"));
}

TEST(Diff, FiguresHaveTheirUnits) {
  EXPECT_EQ(FigureText("tensor_pct", 92.5), "92.50%");
  EXPECT_EQ(FigureText("registers", 128), "128");
  EXPECT_EQ(FigureText("dram_bytes", 5.965e8).find('e'), std::string::npos);
}

TEST(Diff, JsonHasBothSides) {
  const nlohmann::json json = DiffJson(Base(), Deeper());
  EXPECT_EQ(json.at("before").at("iteration"), "iter001_tiled_128x128x64");
  EXPECT_EQ(json.at("config").at(0).at("lever"), "variant");
  EXPECT_EQ(json.at("after").at("sass").at("classes").at("copy_engine"), 5);
  for (const nlohmann::json& one : json.at("counters")) {
    if (one.at("figure") == "conflict_pct") {
      EXPECT_TRUE(one.at("before").is_null());
    }
  }
}

TEST(SvgPlot, ManyRoundsAndMarkupAreNoTrouble) {
  Plot plot;
  plot.title = "a < b & \"c\"";
  for (int i = 0; i < 200; ++i) plot.points.push_back({i, 100.0 + i, i % 2 == 0, "<x>"});
  const std::string svg = DrawSvg(plot);
  EXPECT_THAT(svg, HasSubstr("a &lt; b &amp; &quot;c&quot;"));
  EXPECT_EQ(svg.find("<x>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(DrawSvg({}), "");
  plot.points.resize(1);
  EXPECT_EQ(DrawSvg(plot).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace croq::cli
