#include "croq/cli/options.h"

#include <gmock/gmock.h>

#include <CLI/CLI.hpp>

namespace croq::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// What the parser says to `--x VALUE`; empty where it takes it.
std::string Fault(bool whole, const std::string& value) {
  CLI::App app;
  double number = 0;
  int count = 0;
  if (whole)
    RequireWhole(*app.add_option("--x", count));
  else
    RequirePositive(*app.add_option("--x", number), 100);
  try {
    app.parse(std::vector<std::string>{value, "--x"});  // CLI11 takes them from the end
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return "";
}

TEST(Options, PositiveNumbersAreFiniteAndAboveZero) {
  for (const char* value : {"1", "0.5", "1e2", "+3", "100", "1e-300"}) {
    EXPECT_EQ(Fault(false, value), "") << value;
  }
  for (const char* value : {"0", "-1", "nan", "-nan", "inf", "1e999", "1e-999", "100.5"}) {
    EXPECT_THAT(Fault(false, value),
                AllOf(HasSubstr("out of range; it takes a number above 0, 100 at most"),
                      HasSubstr(value)));
  }
  for (const char* value : {"abc", "1x", " 1", "1,5", "+-1"}) {
    EXPECT_THAT(Fault(false, value), HasSubstr("is not a number")) << value;
  }
  EXPECT_THAT(Fault(false, ""), HasSubstr("the value is empty"));
}

TEST(Options, WholeNumbersStartAtZero) {
  for (const char* value : {"0", "7", "1000000000"}) EXPECT_EQ(Fault(true, value), "") << value;
  EXPECT_THAT(Fault(true, "-1"), HasSubstr("out of range; it takes a whole number from 0"));
  EXPECT_THAT(Fault(true, "99999999999999999999"), HasSubstr("out of range"));
  EXPECT_THAT(Fault(true, "1.5"), HasSubstr("is not a whole number"));
  EXPECT_THAT(Fault(true, ""), HasSubstr("the value is empty"));
}

}  // namespace
}  // namespace croq::cli
