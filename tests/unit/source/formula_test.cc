#include "croq/source/formula.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace croq::source {
namespace {

const std::vector<Dimension> kDims{{"M", 4096}, {"N", 100}, {"K2", 7}};

std::int64_t Whole(std::string_view formula) {
  const FormulaValue value = Evaluate(formula, kDims).value();
  return std::holds_alternative<std::int64_t>(value) ? std::get<std::int64_t>(value) : -999;
}

TEST(Formula, FollowsPythonsPrecedence) {
  EXPECT_EQ(Whole("2*M*N + K2"), 2 * 4096 * 100 + 7);
  EXPECT_EQ(Whole(" ( 2 + 3 ) * -4 "), -20);
  EXPECT_EQ(Whole("-2**2"), -4);
  EXPECT_EQ(Whole("2**3**2"), 512);
  EXPECT_EQ(Whole("M//N*N"), 4000);
  EXPECT_EQ(Whole("-7//2"), -4);
  EXPECT_EQ(Whole("-7%3"), 2);
  EXPECT_EQ(Whole("7%-3"), -2);
  EXPECT_EQ(Whole("1_000"), 1000);
  EXPECT_EQ(Whole("cdiv(M, N) + cdiv(8, 4)"), 41 + 2);
  EXPECT_EQ(Whole("min(M, N, K2) + max(1, 2,)"), 9);
  EXPECT_EQ(Whole("ceil(M / N) - floor(7.9)"), 41 - 7);
}

TEST(Formula, IsRealWherePythonIs) {
  EXPECT_DOUBLE_EQ(RealOf(Evaluate("M / 8", kDims).value()), 512);
  EXPECT_TRUE(std::holds_alternative<double>(Evaluate("M / 8", kDims).value()));
  EXPECT_DOUBLE_EQ(RealOf(Evaluate("0.5 * K2**-0.25", kDims).value()), 0.5 * std::pow(7, -0.25));
  EXPECT_DOUBLE_EQ(RealOf(Evaluate("1e-3", kDims).value()), 1e-3);
  // Beyond 64 bits it goes on as a real number.
  EXPECT_DOUBLE_EQ(RealOf(Evaluate("2**62 * 8", kDims).value()), std::pow(2, 65));
}

struct Wrong {
  const char* formula;
  const char* says;
};

class WrongFormula : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongFormula, SaysWhatAndWhere) {
  const auto value = Evaluate(GetParam().formula, kDims);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().kind, ErrorKind::kUsage);
  EXPECT_NE(value.error().message.find(GetParam().says), std::string::npos)
      << value.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongFormula,
    ::testing::Values(Wrong{"M*X", "column 3: 'X' is no dimension (there are M, N, K2)"},
                      Wrong{"", "it ends where a value is expected"},
                      Wrong{"M*", "it ends where a value is expected"},
                      Wrong{"(M", "a ')' is missing"}, Wrong{"M N", "'N' is not expected here"},
                      Wrong{"M//(N-100)", "divides by zero"}, Wrong{"M%0", "divides by zero"},
                      Wrong{"cdiv(M)", "cdiv does not take 1 arguments"},
                      Wrong{"sqrt(M)", "there is no function 'sqrt'"},
                      Wrong{"1.2.3", "is no number"}, Wrong{"M & 1", "'&' is not expected here"},
                      Wrong{"2.0**10000", "not finite"}));

TEST(Formula, NestedTooDeepIsRefused) {
  EXPECT_FALSE(Evaluate(std::string(5000, '(') + "1" + std::string(5000, ')'), kDims));
  EXPECT_FALSE(Evaluate(std::string(5000, '-') + "1", kDims));
}

RC_GTEST_PROP(FormulaProperty, NoTextCrashesIt, (const std::string& text)) {
  (void)Evaluate(text, kDims);
}

RC_GTEST_PROP(FormulaProperty, FloorDivisionAndModuloBelongTogether, ()) {
  const auto a = *rc::gen::inRange<std::int64_t>(-1000, 1000);
  const auto b = *rc::gen::distinctFrom(rc::gen::inRange<std::int64_t>(-50, 50), 0);
  const std::vector<Dimension> dims{{"a", a}, {"b", b}};
  RC_ASSERT(RealOf(Evaluate("a // b * b + a % b", dims).value()) == static_cast<double>(a));
  RC_ASSERT(RealOf(Evaluate("cdiv(a, b)", dims).value()) ==
            std::ceil(static_cast<double>(a) / static_cast<double>(b)));
}

}  // namespace
}  // namespace croq::source
