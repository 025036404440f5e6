#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "unit/profile/exports.h"

/// The shapes of table that no export in tests/golden/ncu has: tests/golden/ncu/synthetic.
namespace croq::profile {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Shapes : public ::testing::TestWithParam<const char*> {};

TEST_P(Shapes, GiveTheSameFigures) {
  const auto report = ReportOfFile(std::string("synthetic/") + GetParam());
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(NameOf(report->verdict.bottleneck), "memory_bound");
  EXPECT_EQ(report->verdict.level, Level::kDram);
  EXPECT_NEAR(*report->metrics.Value("sm_pct"), 55.1, 1e-9);
  EXPECT_NEAR(*report->metrics.Value("mem_pct"), 91.25, 1e-9);
  EXPECT_NEAR(*report->metrics.Value("dram_pct"), 90, 1e-9);
  EXPECT_NEAR(*report->metrics.Value("duration_ns"), 812'345, 10);
}

INSTANTIATE_TEST_SUITE_P(Ncu, Shapes,
                         ::testing::Values("nvtx_one_column_raw.csv", "nvtx_two_columns_raw.csv",
                                           "glued_header_raw.csv", "range_raw.csv", "ids_tall.csv",
                                           "labels_with_ids_tall.csv", "decimal_comma_raw.csv",
                                           "narrow_spaces_raw.csv", "old_header_raw.csv",
                                           "bom_crlf_raw.csv", "noise_raw.csv", "unquoted_raw.csv",
                                           "metrics_tall.csv", "body_items_tall.csv",
                                           "old_header_tall.csv"));

struct Refused {
  const char* file;
  const char* part;
};

void PrintTo(const Refused& refused, std::ostream* out) {
  *out << refused.file;
}

class Refusals : public ::testing::TestWithParam<Refused> {};

TEST_P(Refusals, SayWhatIsWrongAndNameTheExport) {
  const auto report = ReportOfFile(std::string("synthetic/") + GetParam().file);
  EXPECT_THAT(MessageOf(report), AllOf(HasSubstr(GetParam().part), HasSubstr(GetParam().file),
                                       HasSubstr("--csv --page raw --print-units base")));
  EXPECT_EQ(report.error().kind, ErrorKind::kUsage);
}

INSTANTIATE_TEST_SUITE_P(
    Ncu, Refusals,
    ::testing::Values(
        Refused{"empty.csv", "the file is empty"}, Refused{"gui_transposed.csv", "ncu-ui"},
        Refused{"mock_shape.csv", "a summary"},
        Refused{"summary_by_process.csv", "a summary over launches (--print-summary)"},
        Refused{"low_without_grid_raw.csv", "no verdict then without the grid size"},
        Refused{"low_without_sms_raw.csv", "no verdict then without the SM count"},
        Refused{"no_launch_raw.csv", "==WARNING== No kernels were profiled."},
        Refused{"cut_off_raw.csv", "cut_off_raw.csv:3:1: the file ends within a quoted cell"},
        Refused{"program_output_only.csv", "no line that starts with an ID column"},
        Refused{"nan_raw.csv", "no verdict without SM throughput"},
        Refused{"not_available_raw.csv", "no verdict without memory throughput"},
        Refused{"low_without_duration_tall.csv", "no verdict then without the duration"}));

TEST(Shapes, MoreFormsAreRefused) {
  EXPECT_THAT(MessageOf(ReportOf("\xFF\xFE\"\0I\0", "x")), HasSubstr("UTF-16"));
  EXPECT_THAT(MessageOf(ReportOf(std::string("NVR\0\1\2", 6), "x")), HasSubstr("binary"));
  EXPECT_THAT(MessageOf(ReportOf("\"#\",\"Address\",\"Source\",\"Samples\"\n", "x")),
              HasSubstr("source page"));
  EXPECT_THAT(MessageOf(ReportOf("Time (%),Total Time (ns),Instances\n", "x")),
              HasSubstr("Nsight Systems"));
  EXPECT_THAT(MessageOf(ReportOf("\"ID\",\"Kernel Name\",\"Metric Name\",\"Maximum\"\n", "x")),
              HasSubstr("no 'Metric Value'"));
  EXPECT_THAT(MessageOf(ReportOf("\"ID\",\"Kernel Name\",\"CC\"\n\"0\",\"k\",\"9.0\"\n", "x")),
              HasSubstr("neither a column 'Metric Value'"));
}

TEST(Shapes, TwoPagesInOneFileAreRefused) {
  const std::string both =
      MustRead(Golden() / "mm_raw_base.csv") + MustRead(Golden() / "mm_details_base.csv");
  EXPECT_THAT(MessageOf(ReportOf(both, "x")),
              HasSubstr("x:4:1: the file holds tables of two pages"));
}

TEST(Shapes, TablesOneAfterAnotherAreOneFile) {
  const std::string both =
      MustRead(Golden() / "mm_raw_base.csv") + MustRead(Golden() / "add_raw_default.csv");
  EXPECT_NEAR(*ReportOf(both, "x", "croq_add")->metrics.Value("duration_ns"), 733'216, 0.5);
  EXPECT_NEAR(*ReportOf(both, "x", "croq_mm")->metrics.Value("duration_ns"), 1'550'304, 0.5);
}

TEST(Shapes, WithoutAUnitsRowTimeIsUnknown) {
  const auto report = ReportOfFile("synthetic/no_units_row_raw.csv");
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->kernel, "synthetic_no_units");
  EXPECT_NEAR(*report->metrics.Value("sm_pct"), 87.33, 1e-9);
  EXPECT_FALSE(report->metrics.Value("duration_ns").has_value());
  EXPECT_THAT(report->metrics["duration_ns"].why, HasSubstr("gives no unit"));
}

TEST(Shapes, ItemsOfASectionsBodyDoNotCount) {
  EXPECT_NEAR(*ReportOfFile("synthetic/body_items_tall.csv")->metrics.Value("mem_pct"), 91.25,
              1e-9);
}

TEST(Shapes, NumbersCarryTheirIdWhicheverNameIsPrinted) {
  for (const char* file : {"synthetic/ids_tall.csv", "synthetic/labels_with_ids_tall.csv"}) {
    const auto report = ReportOfFile(file);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(report->metrics["duration_ns"].id, "gpu__time_duration.sum");
  }
  const auto report = ReportOfFile("synthetic/ids_tall.csv");
  EXPECT_NEAR(*report->metrics.Value("dram_bytes_per_second"), 3.02e12, 1);
  EXPECT_EQ(report->nvidia->verdict, "High Throughput");
}

TEST(Shapes, OldRulesAreUnderstood) {
  const auto report = ReportOfFile("synthetic/old_header_tall.csv");
  ASSERT_TRUE(report && report->nvidia);
  EXPECT_EQ(report->nvidia->verdict, "High Memory Throughput");
}

TEST(Shapes, MissingFiguresHaveAReason) {
  const auto report = ReportOfFile("live_csv.csv");
  ASSERT_TRUE(report.has_value());
  EXPECT_TRUE(report->metrics.stalls.empty());
  EXPECT_THAT(report->metrics.no_stalls, HasSubstr("details pages and --set basic have no stalls"));
  for (const auto& [name, metric] : report->metrics.metrics) {
    EXPECT_NE(metric.value.has_value(), metric.id.empty()) << name;
    EXPECT_NE(metric.value.has_value(), !metric.why.empty()) << name;
  }
}

TEST(Shapes, L1IsComputedWhereOnlyItsActiveShareIsThere) {
  const auto report = ReportOfFile("all_raw_nonvtx.csv", "croq_mm");
  EXPECT_NEAR(*report->metrics.Value("l1_pct"), 57.65, 0.01);
  EXPECT_THAT(report->metrics["l1_pct"].id, HasSubstr(" x "));
  EXPECT_NEAR(*ReportOfFile("mm_details_base.csv")->metrics.Value("l1_pct"), 57.77, 0.01);
}

TEST(Json, HasTheKeysAndAnIdForEachNumber) {
  const nlohmann::json json = *ReportOfFile("mm_raw_base.csv");
  EXPECT_EQ(json["kernel"], "croq_mm");
  EXPECT_EQ(json["bottleneck"], "compute_bound");
  EXPECT_TRUE(json["level"].is_null());
  EXPECT_EQ(json["confidence"], "high");
  EXPECT_TRUE(json["runner_up"].is_null());
  EXPECT_EQ(json["metrics"]["sm_pct"]["value"], 87.33);
  EXPECT_EQ(json["metrics"]["sm_pct"]["unit"], "%");
  for (const auto& [name, metric] : json["metrics"].items()) {
    EXPECT_EQ(metric["value"].is_null(), !metric.contains("id")) << name;
    EXPECT_EQ(metric["value"].is_null(), metric.contains("reason")) << name;
  }
  for (const auto& stall : json["evidence"]["stalls"]) EXPECT_TRUE(stall.contains("id"));
}

TEST(Json, IsUtf8WhateverTheFileHolds) {
  const std::string text = MustRead(Golden() / "synthetic/bom_crlf_raw.csv");
  // In a name, in a column of the launch, in a unit, in a cell.
  for (const char* place : {"synthetic_crlf", "9.0", "SM", "2,048"}) {
    std::string broken = text;
    broken.replace(broken.rfind(place), 2, "\xFF\xFE\x80");
    const auto report = ReportOf(broken, "x");
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_NO_THROW((void)nlohmann::json(*report).dump()) << place;
  }
}

}  // namespace
}  // namespace croq::profile
