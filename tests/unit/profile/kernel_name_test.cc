#include "croq/profile/kernel_name.h"

#include <gmock/gmock.h>

#include "unit/profile/exports.h"

namespace croq::profile {
namespace {

using ::testing::HasSubstr;

TEST(BaseName, IsTheFunctionsOwn) {
  for (const auto& [printed, base] : std::initializer_list<std::pair<const char*, const char*>>{
           {"mm_ptr", "mm_ptr"},
           {"void fill<float>(float *, int)", "fill"},
           {"void at::<unnamed>::distribution_kernel<float, 4>(long, T3)", "distribution_kernel"},
           {"void unnamed>::distribution_kernel<float>(long)", "distribution_kernel"},
           {"void (anonymous namespace)::reduce<a<b>>(int)", "reduce"},
           {"void ns::Class<int, (bool)1>::run(int)", "run"},
           {"void f<void g()::[lambda() (instance 1)]::operator ()() const>(int)", "f"},
           {"ns::plain(int)", "plain"},
           {"broken<int", "broken"},
           {"", ""},
       }) {
    EXPECT_EQ(BaseName(printed), base) << printed;
  }
}

Fit FitOf(std::string_view asked, std::string_view printed) {
  const auto pattern = NamePattern::Parse(asked);
  EXPECT_TRUE(pattern.has_value());
  return pattern->FitOf(printed);
}

TEST(NamePattern, FitsWholeBaseAndSpecialisedNames) {
  EXPECT_EQ(FitOf("mm", "mm"), Fit::kExact);
  EXPECT_EQ(FitOf("fill", "void ns::fill<float>(float *)"), Fit::kBase);
  EXPECT_EQ(FitOf("triton_mm", "triton_mm_0d1d2d"), Fit::kSpecialised);
  EXPECT_EQ(FitOf("triton_mm", "triton_mm_0d1d2de3de4c5c"), Fit::kSpecialised);
  for (const char* printed : {"mm_ptr", "mma", "a_mm", "mm_", "mm_x1", "mm_1-2"}) {
    EXPECT_EQ(FitOf("mm", printed), Fit::kNone) << printed;
  }
}

TEST(NamePattern, SearchesWithAnExpression) {
  EXPECT_EQ(FitOf("regex:^mm_", "mm_ptr"), Fit::kExact);
  EXPECT_EQ(FitOf("regex:^fill$", "void ns::fill<float>(float *)"), Fit::kExact);
  EXPECT_EQ(FitOf("regex:<float>", "void ns::fill<float>(float *)"), Fit::kExact);
  EXPECT_EQ(FitOf("regex:^mm$", "mm_ptr"), Fit::kNone);
  EXPECT_THAT(MessageOf(NamePattern::Parse("regex:(")), HasSubstr("no regular expression"));
  EXPECT_THAT(MessageOf(NamePattern::Parse("")), HasSubstr("empty"));
  EXPECT_THAT(MessageOf(NamePattern::Parse("regex:")), HasSubstr("empty"));
}

TEST(LaunchChoice, PrefersTheBetterFit) {
  const auto report = ReportOfFile("synthetic/names_raw.csv", "half");
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->kernel, "void unnamed>::half<int>(int)");
  EXPECT_EQ(ReportOfFile("synthetic/names_raw.csv", "triton_mm")->kernel, "triton_mm_0d1d2d");
  EXPECT_EQ(ReportOfFile("synthetic/names_raw.csv", "regex:<float>")->kernel,
            "void ns::fill<float>(float *, int)");
}

TEST(LaunchChoice, RefusesANameOfSeveralKernels) {
  EXPECT_THAT(MessageOf(ReportOfFile("synthetic/names_raw.csv", "fill")),
              ::testing::AllOf(HasSubstr("fits several kernels"), HasSubstr("fill<double>"),
                               ::testing::Not(HasSubstr("triton_mm"))));
}

TEST(LaunchChoice, TakesTheMedianOfSeveralLaunches) {
  const auto report = ReportOfFile("synthetic/three_launches_raw.csv");
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->launches, 3U);
  EXPECT_EQ(report->launch_id, "2");
  EXPECT_EQ(*report->metrics.Value("duration_ns"), 850'000);
  EXPECT_THAT(report->how_chosen, HasSubstr("median of 3 launches"));
}

TEST(ShownName, HasNoControlBytes) {
  EXPECT_EQ(ShownName("mm\x1b[31m\r\n\x7f"), "mm\\x1b[31m\\x0d\\x0a\\x7f");
  EXPECT_EQ(ShownName("a\xC2\x9B" "b\xC3\xA4"), "a\\x9b" "b\xC3\xA4");
  EXPECT_EQ(ShownName("f<int>(float *)"), "f<int>(float *)");
  EXPECT_EQ(ShownName(""), "(no name)");
}

}  // namespace
}  // namespace croq::profile
