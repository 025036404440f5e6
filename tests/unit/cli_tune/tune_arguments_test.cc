#include "croq/cli/tune_arguments.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "unit/journal/journal_fixture.h"

namespace croq::cli {
namespace {

class TuneArgumentsTest : public ::testing::Test {
 protected:
  TuneArgumentsTest() {
    arguments_.keys = {"matmul_f16fp32_4096x4096x4096"};
    arguments_.out = folder_.path().string();
  }

  TuneRequest Check() {
    Result<TuneRequest> request = CheckTuneArguments(arguments_);
    if (!request) {
      ADD_FAILURE() << request.error().message;
      return {};
    }
    return *request;
  }

  /// The usage error; every one says what it is about.
  std::string Refusal() {
    const Result<TuneRequest> request = CheckTuneArguments(arguments_);
    if (request) {
      ADD_FAILURE() << "it was accepted";
      return "";
    }
    EXPECT_EQ(request.error().kind, ErrorKind::kUsage);
    return request.error().message;
  }

  journal::TempFolder folder_;
  TuneArguments arguments_;
};

TEST_F(TuneArgumentsTest, WithoutABudgetARunLastsAMinute) {
  const TuneRequest request = Check();
  EXPECT_DOUBLE_EQ(request.budget.seconds, 60);
  EXPECT_EQ(request.budget.trials, 0);
  EXPECT_EQ(request.budget.rounds, 0);
  EXPECT_EQ(request.device.kind, DeviceArgument::Kind::kAuto);
  EXPECT_FALSE(request.seed);
  EXPECT_EQ(request.workers, 0);
}

TEST_F(TuneArgumentsTest, AnyBudgetReplacesTheMinute) {
  arguments_.trials = "300";
  EXPECT_DOUBLE_EQ(Check().budget.seconds, 0);
  EXPECT_EQ(Check().budget.trials, 300);
  arguments_.trials = "";
  arguments_.rounds = "4";
  EXPECT_DOUBLE_EQ(Check().budget.seconds, 0);
  EXPECT_EQ(Check().budget.rounds, 4);
}

TEST_F(TuneArgumentsTest, BudgetsMayBeGivenTogether) {
  arguments_.trials = "300";
  arguments_.rounds = "4";
  arguments_.time = "2m";
  const tune::Budget budget = Check().budget;
  EXPECT_EQ(budget.trials, 300);
  EXPECT_EQ(budget.rounds, 4);
  EXPECT_DOUBLE_EQ(budget.seconds, 120);
}

TEST_F(TuneArgumentsTest, EachKeyIsAProblem) {
  arguments_.keys = {"matmul_f16fp32_4096x4096x4096", "matmul_nt_bf16fp32_1x2x3"};
  const TuneRequest request = Check();
  ASSERT_EQ(request.shapes.size(), 2u);
  EXPECT_EQ(request.shapes[0].text, "matmul_f16fp32_4096x4096x4096");
  EXPECT_EQ(request.shapes[1].op, Operator::kMatmulNt);
}

TEST_F(TuneArgumentsTest, AWrongKeyIsNamed) {
  arguments_.keys.push_back("matmul_f17_1x2x3");
  EXPECT_NE(Refusal().find("matmul_f17_1x2x3"), std::string::npos);
}

TEST_F(TuneArgumentsTest, CountsThatAreNone) {
  for (const char* text : {"0", "-3", "1.5", "ten", "3x", "1000001", "99999999999999999999"}) {
    arguments_.rounds = text;
    EXPECT_NE(Refusal().find("--rounds '" + std::string(text) + "'"), std::string::npos);
  }
  arguments_.rounds = "";
  arguments_.trials = "0";
  EXPECT_NE(Refusal().find("--trials '0'"), std::string::npos);
  arguments_.trials = "";
  arguments_.workers = "1025";
  EXPECT_NE(Refusal().find("--workers '1025'"), std::string::npos);
}

TEST_F(TuneArgumentsTest, SeedsAreSixtyFourBits) {
  arguments_.seed = "18446744073709551615";
  EXPECT_EQ(Check().seed, std::optional<std::uint64_t>(18446744073709551615ull));
  arguments_.seed = "0";
  EXPECT_EQ(Check().seed, std::optional<std::uint64_t>(0));
  for (const char* text : {"18446744073709551616", "-1", "x", "1 "}) {
    arguments_.seed = text;
    EXPECT_NE(Refusal().find("--seed '" + std::string(text) + "'"), std::string::npos);
  }
}

TEST_F(TuneArgumentsTest, StrategiesThereAre) {
  for (const char* name : {"hybrid", "random", "exhaustive"}) {
    arguments_.strategy = name;
    Check();
  }
  arguments_.strategy = "bayes";
  EXPECT_NE(Refusal().find("hybrid, random, exhaustive, evolutionary"), std::string::npos);
}

TEST_F(TuneArgumentsTest, OtherArgumentsAreChecked) {
  arguments_.model = "../up";
  EXPECT_NE(Refusal().find("--model '../up'"), std::string::npos);
  arguments_.model = "croq";
  arguments_.device = "tpu";
  EXPECT_NE(Refusal().find("--device 'tpu'"), std::string::npos);
  arguments_.device = "cuda:1";
  EXPECT_EQ(Check().device.ordinal, 1);
  arguments_.out = (folder_.path() / "file").string();
  std::ofstream(arguments_.out) << "no folder";
  EXPECT_NE(Refusal().find("--out"), std::string::npos);
}

TEST_F(TuneArgumentsTest, CheckingLeavesNothingBehind) {
  Check();
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST(ParseDuration, TakesSecondsMinutesAndHours) {
  EXPECT_DOUBLE_EQ(ParseDuration("90").value(), 90);
  EXPECT_DOUBLE_EQ(ParseDuration("90s").value(), 90);
  EXPECT_DOUBLE_EQ(ParseDuration("5m").value(), 300);
  EXPECT_DOUBLE_EQ(ParseDuration("1.5h").value(), 5400);
  EXPECT_DOUBLE_EQ(ParseDuration("720h").value(), 30.0 * 24 * 3600);
}

TEST(ParseDuration, RefusesTheRestAndSaysWhatItTakes) {
  for (const char* text :
       {"", "s", "0", "0s", "-5m", "5d", "5mm", "five", "inf", "nan", "5 m", "721h", "1e300h"}) {
    const Result<double> seconds = ParseDuration(text);
    ASSERT_FALSE(seconds) << text;
    EXPECT_EQ(seconds.error().kind, ErrorKind::kUsage);
    EXPECT_NE(seconds.error().message.find("--time '" + std::string(text) + "'"),
              std::string::npos);
  }
}

TEST(AddTuneArguments, ReadsTheCommandLine) {
  CLI::App app;
  TuneArguments arguments;
  AddTuneArguments(app, arguments);
  app.parse(
      "matmul_f32_1x2x3 matmul_f32_4x5x6 --trials 30 --rounds 2 --time 1m --seed 7 "
      "--strategy random --workers 3 --model me --out /tmp/x --device cuda:0 --json");
  EXPECT_EQ(arguments.keys, (std::vector<std::string>{"matmul_f32_1x2x3", "matmul_f32_4x5x6"}));
  EXPECT_EQ(arguments.trials, "30");
  EXPECT_EQ(arguments.rounds, "2");
  EXPECT_EQ(arguments.time, "1m");
  EXPECT_EQ(arguments.seed, "7");
  EXPECT_EQ(arguments.strategy, "random");
  EXPECT_EQ(arguments.workers, "3");
  EXPECT_EQ(arguments.model, "me");
  EXPECT_EQ(arguments.out, "/tmp/x");
  EXPECT_EQ(arguments.device, "cuda:0");
  EXPECT_TRUE(arguments.json);
}

TEST(AddTuneArguments, AShapeKeyIsRequired) {
  CLI::App app;
  TuneArguments arguments;
  AddTuneArguments(app, arguments);
  EXPECT_THROW(app.parse("--trials 30"), CLI::RequiredError);
}

}  // namespace
}  // namespace croq::cli
