#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "unit/profile/exports.h"

/// tests/golden/ncu holds exports of one H200 (README.md there), cut to the columns that croq
/// reads; what must come out of each stands here. CROQ_NCU_EXPORTS names a folder with the uncut
/// files, where they are at hand.
namespace croq::profile {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Expected {
  const char* file;
  const char* kernel;  ///< nullptr: none is named
  const char* bottleneck;
  const char* level;  ///< "": none
  const char* confidence;
  std::map<std::string, double> figures;
};

void PrintTo(const Expected& expected, std::ostream* out) {
  *out << expected.file << " " << (expected.kernel == nullptr ? "" : expected.kernel);
}

const std::map<std::string, double> kMm{
    {"sm_pct", 87.33},  {"mem_pct", 57.77},       {"dram_pct", 33.22},  {"duration_ns", 1'550'304},
    {"registers", 182}, {"occupancy_pct", 12.47}, {"waves", 15.515151}, {"sm_count", 132}};

std::map<std::string, double> With(std::map<std::string, double> figures,
                                   const std::map<std::string, double>& more) {
  figures.insert(more.begin(), more.end());
  return figures;
}

const std::vector<Expected> kExpected{
    {"add_raw_default.csv",
     nullptr,
     "memory_bound",
     "dram",
     "high",
     {{"sm_pct", 5.62},
      {"mem_pct", 90.81},
      {"dram_pct", 90.81},
      {"duration_ns", 733'216},
      {"registers", 26}}},
    {"mm_raw_base.csv", nullptr, "compute_bound", "", "high", With(kMm, {{"tensor_pct", 90.54}})},
    {"mm_raw_auto.csv", nullptr, "compute_bound", "", "high", With(kMm, {{"tensor_pct", 90.54}})},
    {"mm_raw_lc_en_US.UTF-8.csv", nullptr, "compute_bound", "", "high",
     With(kMm, {{"tensor_pct", 90.54}})},
    {"mm_raw_inst.csv", nullptr, "compute_bound", "", "high", kMm},
    {"mm_details_base.csv", nullptr, "compute_bound", "", "high", kMm},
    {"tiny_raw_base.csv",
     nullptr,
     "launch_bound",
     "",
     "high",
     {{"duration_ns", 2'048}, {"grid_size", 4}, {"sm_count", 132}, {"waves", 0.0019}}},
    {"all_raw_nonvtx.csv", "croq_add", "memory_bound", "dram", "high", {{"duration_ns", 734'688}}},
    {"all_raw_nonvtx.csv", "croq_mm", "compute_bound", "", "high", {{"duration_ns", 1'549'280}}},
    {"all_raw_nonvtx.csv", "croq_tiny", "launch_bound", "", "high", {{"duration_ns", 2'336}}},
    {"six_kernels_raw.csv",
     "mm_ptr",
     "compute_bound",
     "",
     "medium",
     {{"sm_pct", 75.91}, {"mem_pct", 51.64}, {"waves", 3.8788}}},
    {"six_kernels_raw.csv",
     "elementwise_kernel",
     "memory_bound",
     "l2",
     "high",
     {{"mem_pct", 89.61}, {"dram_pct", 9.47}}},
    {"six_kernels_raw.csv",
     "mm_tma",
     "compute_bound",
     "",
     "high",
     {{"sm_pct", 87.84}, {"waves", 1.0}}},
    {"live_csv.csv",
     nullptr,
     "memory_bound",
     "dram",
     "high",
     {{"sm_pct", 5.63}, {"mem_pct", 90.77}, {"duration_ns", 733'504}}},
    {"chase_raw_base.csv",
     nullptr,
     "latency_bound",
     "",
     "medium",
     {{"sm_pct", 0.49}, {"mem_pct", 25.17}, {"duration_ns", 107'200}, {"waves", 0.0625}}},
    {"blend_raw_base.csv",
     nullptr,
     "memory_bound",
     "dram",
     "low",
     {{"sm_pct", 75.17}, {"mem_pct", 81.61}, {"dram_pct", 81.61}, {"registers", 22}}},
    {"thin_raw.csv",
     "matmul_kernel",
     "mixed",
     "l2",
     "low",
     {{"sm_pct", 66.9}, {"mem_pct", 76.49}, {"tensor_pct", 66.99}, {"registers", 154}}},
    {"synthetic/latency_raw.csv",
     nullptr,
     "latency_bound",
     "",
     "medium",
     {{"sm_pct", 31.2}, {"mem_pct", 44.1}}},
    {"synthetic/mixed_raw.csv", nullptr, "mixed", "dram", "medium", {{"sm_pct", 71.0}}},
    {"synthetic/mixed_high_raw.csv", nullptr, "mixed", "", "medium", {{"mem_pct", 94.5}}},
    {"synthetic/short_raw.csv", nullptr, "launch_bound", "", "medium", {{"duration_ns", 6'400}}},
};

void Check(const Expected& expected, const std::string& text) {
  const auto kernel =
      expected.kernel == nullptr ? std::nullopt : std::optional<std::string_view>(expected.kernel);
  const auto report = ReportOf(text, expected.file, kernel);
  ASSERT_TRUE(report.has_value()) << report.error().message;
  const Verdict& verdict = report->verdict;
  EXPECT_EQ(NameOf(verdict.bottleneck), expected.bottleneck);
  EXPECT_EQ(verdict.level ? NameOf(*verdict.level) : "", expected.level);
  EXPECT_EQ(NameOf(verdict.confidence), expected.confidence);
  for (const auto& [name, value] : expected.figures) {
    const Metric& metric = report->metrics[name];
    ASSERT_TRUE(metric.value.has_value()) << name << ": " << metric.why;
    // The table rounds to 2 decimals; auto units and base units round differently.
    EXPECT_NEAR(*metric.value, value, 0.006) << name;
    EXPECT_FALSE(metric.id.empty()) << name;
  }
}

class ExpectedTable : public ::testing::TestWithParam<Expected> {};

TEST_P(ExpectedTable, ComesOut) {
  Check(GetParam(), MustRead(Golden() / GetParam().file));
}

INSTANTIATE_TEST_SUITE_P(Ncu, ExpectedTable, ::testing::ValuesIn(kExpected));

TEST(Expected, ComesOutOfTheUncutFiles) {
  const char* folder = std::getenv("CROQ_NCU_EXPORTS");
  if (folder == nullptr)
    GTEST_SKIP() << "CROQ_NCU_EXPORTS names no folder with the uncut exports";
  for (const Expected& expected : kExpected) {
    const std::filesystem::path file = std::filesystem::path(folder) / expected.file;
    if (std::filesystem::exists(file)) {
      SCOPED_TRACE(expected.file);
      Check(expected, MustRead(file));
    }
  }
}

TEST(Expected, LaunchBoundByItsGrid) {
  EXPECT_EQ(ReportOfFile("tiny_raw_base.csv")->verdict.cause, "grid");
}

TEST(Expected, LaunchBoundByItsTime) {
  EXPECT_EQ(ReportOfFile("synthetic/short_raw.csv")->verdict.cause, "short");
}

TEST(Expected, LaunchBoundByItsHost) {
  ReportRequest request;
  const std::string text = MustRead(Golden() / "synthetic/latency_raw.csv");
  request.file = {"latency_raw.csv", text};
  request.wall_ms = 1e3;
  const auto report = MakeReport(Rule(), request);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->verdict.bottleneck, Bottleneck::kLaunch);
  EXPECT_EQ(report->verdict.cause, "host");
}

TEST(Expected, LatencyBoundByItsLargestStall) {
  EXPECT_EQ(ReportOfFile("synthetic/latency_raw.csv")->verdict.cause, "long_scoreboard");
}

TEST(Expected, SeveralKernelsAndNoNameIsAnError) {
  EXPECT_THAT(MessageOf(ReportOfFile("all_raw_nonvtx.csv")),
              AllOf(HasSubstr("several kernels"), HasSubstr("croq_add"), HasSubstr("croq_tiny")));
  EXPECT_THAT(MessageOf(ReportOfFile("six_kernels_raw.csv")), HasSubstr("several kernels"));
}

TEST(Expected, AnAbsentNameIsAnErrorThatListsThosePresent) {
  EXPECT_THAT(MessageOf(ReportOfFile("six_kernels_raw.csv", "mm")),
              AllOf(HasSubstr("no kernel 'mm'"), HasSubstr("mm_ptr"), HasSubstr("mm_tma"),
                    HasSubstr("nvjet_sm90_hsh_256x128_64x4_1x2_h_bz_coopA_TNT"),
                    HasSubstr("elementwise_kernel"), HasSubstr("2 launches")));
}

TEST(Expected, ASummaryNamesTheRightCommand) {
  EXPECT_THAT(MessageOf(ReportOfFile("all_summary.csv")),
              AllOf(HasSubstr("all_summary.csv:1:1"), HasSubstr("--print-summary"),
                    HasSubstr("--csv --page raw --print-units base")));
}

TEST(Expected, NcusOwnErrorIsQuoted) {
  EXPECT_THAT(MessageOf(ReportOfFile("all_nvtx_raw.csv")),
              HasSubstr("==ERROR== Invalid option --nvtx specified for --import"));
}

TEST(Expected, NvidiasVerdictStandsBesideOurs) {
  const auto report = ReportOfFile("mm_details_base.csv");
  ASSERT_TRUE(report.has_value() && report->nvidia.has_value());
  EXPECT_EQ(report->nvidia->rule, "SOLBottleneck");
  EXPECT_EQ(report->nvidia->verdict, "High Throughput");
  EXPECT_THAT(report->nvidia->text, HasSubstr("greater than 80.0%"));
  EXPECT_EQ(Agrees(*report->nvidia, report->verdict.bottleneck), true);
}

TEST(Expected, TheDetailsPageIsReadBesideTheRawOne) {
  const std::string raw = MustRead(Golden() / "mm_raw_base.csv");
  const std::string details = MustRead(Golden() / "mm_details_base.csv");
  ReportRequest request;
  request.file = {"raw", raw};
  request.details = NamedText{"details", details};
  const auto report = MakeReport(Rule(), request);
  ASSERT_TRUE(report.has_value());
  ASSERT_TRUE(report->nvidia.has_value()) << report->no_nvidia;
  EXPECT_EQ(report->nvidia->verdict, "High Throughput");
}

TEST(Expected, EvidenceOfTheMatmul) {
  ReportRequest request;
  const std::string text = MustRead(Golden() / "mm_raw_base.csv");
  request.file = {"raw", text};
  request.ceilings = {4000, 800, std::nullopt};
  const auto report = MakeReport(Rule(), request);
  ASSERT_TRUE(report.has_value());
  EXPECT_THAT(report->evidence.limiters, ::testing::ElementsAre("registers", "shared_mem"));
  EXPECT_FALSE(report->evidence.spills);
  EXPECT_FALSE(report->evidence.conflicts);
  EXPECT_FALSE(report->evidence.tail.has_value());  // 15 full waves
  EXPECT_EQ(*report->metrics.Value("tensor_operations"), 2.0 * 8192 * 8192 * 8192);
  ASSERT_TRUE(report->evidence.roofline.has_value());
  EXPECT_NEAR(*report->evidence.roofline->tflops, 709.22, 0.01);
  EXPECT_NEAR(*report->evidence.roofline->matmul_share, 88.65, 0.01);
  EXPECT_NEAR(report->evidence.roofline->gb_per_s, 1598.3, 0.1);
  EXPECT_NEAR(*report->evidence.roofline->ridge, 200, 1e-9);
  ASSERT_GE(report->metrics.stalls.size(), 2U);
  EXPECT_EQ(report->metrics.stalls[0].reason, "long_scoreboard");
  EXPECT_NEAR(report->metrics.stalls[0].share, 29.9, 0.05);
  EXPECT_EQ(report->metrics.stalls[1].reason, "barrier");
}

TEST(Expected, RulesGetTheFiguresTheyName) {
  const auto report = ReportOfFile("six_kernels_raw.csv", "mm_ptr");
  ASSERT_TRUE(report.has_value());
  const KernelProfile profile = AsKernelProfile(*report);
  EXPECT_EQ(profile.bottleneck, "compute_bound");
  EXPECT_EQ(profile.confidence, "medium");
  EXPECT_FALSE(profile.is_static);
  for (const char* name : {"sm_pct", "mem_pct", "dram_pct", "l2_pct", "l1_pct", "tensor_pct",
                           "occupancy_pct", "l2_hit_pct", "conflict_pct", "duration_us",
                           "registers", "shared_bytes", "waves", "sm_active_pct", "dram_bytes",
                           "stall_long_scoreboard_pct", "stall_gmma_pct", "stall_wait_pct"}) {
    const Figure* figure = profile.Find(name);
    ASSERT_NE(figure, nullptr) << name;
    EXPECT_FALSE(figure->metric.empty()) << name;
  }
  EXPECT_NEAR(profile.Find("duration_us")->value, 260.704, 1e-9);
  EXPECT_NEAR(profile.Find("sm_pct")->value, 75.91, 0.005);
}

TEST(Expected, ATailIsNamed) {
  const auto report = ReportOfFile("six_kernels_raw.csv", "mm_ptr");
  ASSERT_TRUE(report && report->evidence.tail);
  EXPECT_NEAR(*report->evidence.tail, 25, 1e-9);
  EXPECT_FALSE(ReportOfFile("six_kernels_raw.csv", "mm_tma")->evidence.tail.has_value());
}

}  // namespace
}  // namespace croq::profile
