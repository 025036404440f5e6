#include "croq/tune/brought/levers.h"

#include "croq/tune/brought/literals.h"
#include "unit/tune_brought/helpers.h"

namespace croq::tune {
namespace {

std::string Text(const BroughtLever& lever) {
  std::string text = lever.lever.name + ":";
  for (const LeverValue& value : lever.lever.values) text += " " + ToText(value);
  return text + " from " + ToText(lever.first);
}

Result<std::vector<std::string>> Levers(const std::string& file, const LeverOptions& options = {}) {
  const source::SyntaxTree tree = testing::Parsed(file);
  const source::Names names(tree);
  CROQ_ASSIGN(const std::vector<BroughtLever> levers,
              FindLevers(tree, names, BroughtContract(), options));
  std::vector<std::string> texts;
  for (const BroughtLever& lever : levers) texts.push_back(Text(lever));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Levers, AreTheUnionOfAnAutotunersConfigurations) {
  EXPECT_EQ(Levers(Softmax()).value(),
            (Texts{"BLOCK: 64 128 from 64", "FAST: True False from True",
                   "num_warps: 4 8 from 4", "num_stages: 3 from 3"}));
}

TEST(Levers, OptionsThatAConfigurationLeavesOutHaveTritonsDefaults) {
  EXPECT_EQ(Levers(Softmax("triton.Config({'BLOCK': 64}, num_ctas=2, num_stages=2), "
                           "triton.Config({'BLOCK': 64})")).value(),
            (Texts{"BLOCK: 64 from 64", "num_warps: 4 from 4", "num_stages: 2 3 from 2",
                   "num_ctas: 1 2 from 2"}));
}

TEST(Levers, ComputedConfigurationsAreThoseOfTheImport) {
  const std::string file = Softmax("*helper()");
  EXPECT_NE(Levers(file).error().message.find("computed when the file runs"), std::string::npos);
  LeverOptions options;
  std::vector<source::MadeConfig> configs(2);
  configs[0].values.constants = {{"BLOCK", "64"}};
  configs[0].values.options = {{"num_warps", "4"}};
  configs[1].values.constants = {{"BLOCK", "128"}};
  options.made = [&]() -> Result<std::vector<source::MadeList>> {
    return std::vector<source::MadeList>{{"kernel", "kernel", 8, configs}};
  };
  EXPECT_EQ(Levers(file, options).value(),
            (Texts{"BLOCK: 64 128 from 64", "num_warps: 4 from 4", "num_stages: 3 from 3"}));
  configs[1].pre_hook = true;
  EXPECT_NE(Levers(file, options).error().message.find("which pre_hook"), std::string::npos);
  configs[1].problem = "the value of 'T' is no literal";
  EXPECT_NE(Levers(file, options).error().message.find("'T' is no literal"), std::string::npos);
}

TEST(Levers, WidenOpensPowersOfTwoAndStages) {
  LeverOptions options;
  options.widen = true;
  EXPECT_EQ(Levers(Softmax("triton.Config({'BLOCK': 16, 'ROWS': 3}, num_warps=32, num_stages=1)"),
                   options).value(),
            (Texts{"BLOCK: 16 32 from 16", "ROWS: 3 from 3", "num_warps: 16 32 from 32",
                   "num_stages: 1 2 from 1"}));
}

TEST(Levers, DeclaredOnesReplaceOrNameAConstant) {
  LeverOptions options;
  options.declared = {{"num_warps", {std::int64_t{16}}}, {"PARTS", {std::int64_t{1}, std::int64_t{8}}}};
  const Texts levers = Levers(Softmax(), options).value();
  EXPECT_EQ(levers[2], "num_warps: 4 16 from 4");
  EXPECT_EQ(levers[4], "PARTS: 1 4 8 from 4");
  options.declared = {{"PARTZ", {std::int64_t{1}}}};
  const auto wrong = Levers(Softmax(), options);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("did you mean 'PARTS'?"), std::string::npos)
      << wrong.error().message;
}

TEST(Levers, AComputedValueOfAReadableConfigurationIsThatOfTheImport) {
  const std::string file = Softmax("triton.Config({'BLOCK': int(helper())})");
  EXPECT_NE(Levers(file).error().message.find("computed"), std::string::npos);
  LeverOptions options;
  int asked = 0;
  options.made = [&]() -> Result<std::vector<source::MadeList>> {
    ++asked;
    return UsageFailure("imported");
  };
  EXPECT_EQ(Levers(file, options).error().message, "imported");
  EXPECT_EQ(asked, 1);
}

TEST(Levers, SeveralAutotunedKernelsKeepTheirsApart) {
  const std::string second =
      "@triton.autotune(configs=[triton.Config({'B2': 1})], key=[])\n@triton.jit\n"
      "def other(x, B2: tl.constexpr):\n    pass\n";
  const Texts levers = Levers(Softmax() + second).value();
  EXPECT_EQ(levers.front(), "kernel.BLOCK: 64 128 from 64");
  EXPECT_EQ(levers[4], "other.B2: 1 from 1");
}

TEST(Levers, AComprehensionOverLiteralsIsRead) {
  std::string file = Softmax("X");
  file.replace(file.find("[X]"), 3,
               "[triton.Config({'BLOCK': b}, num_warps=w) for b in (64, 128) for w in (2, 4)]");
  EXPECT_EQ(Levers(file).value(),
            (Texts{"BLOCK: 64 128 from 64", "num_warps: 2 4 from 2", "num_stages: 3 from 3"}));
}

TEST(Levers, WhatCanNotBeReadIsAUsageErrorWithItsPlace) {
  const auto computed = Levers(Softmax("*helper()"));
  ASSERT_FALSE(computed);
  EXPECT_EQ(computed.error().kind, ErrorKind::kUsage);
  EXPECT_NE(computed.error().message.find("x.py:"), std::string::npos) << computed.error().message;
  const auto uneven = Levers(Softmax("triton.Config({'BLOCK': 64}), triton.Config({'FAST': True})"));
  ASSERT_FALSE(uneven);
  const auto none = Levers("x = 1\n");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("nothing to tune"), std::string::npos);
}

TEST(Levers, TheContractsNamesAreFoundAsConstantsAndLaunchKeywords) {
  LeverOptions options;
  options.contract_names = true;
  const Texts levers = Levers("import triton.language as tl\n"
                              "BLOCK_M, BLOCK_N = 128, 48\nNUM_WARPS: tl.constexpr = 8\n"
                              "GROUP_M = tl.constexpr(4)\nBLOCK_K = 32\nBLOCK_K = 64\n"
                              "def f(a):\n    k[(1,)](a, num_stages=3)\n    k[(2,)](a, num_stages=3)\n"
                              "    k[(1,)](a, num_ctas=1)\n    k[(1,)](a, num_ctas=2)\n",
                              options).value();
  EXPECT_EQ(levers, (Texts{"BLOCK_M: 16 32 64 128 256 from 128", "BLOCK_N: 32 48 64 128 256 from 48",
                           "NUM_WARPS: 4 8 16 from 8", "num_stages: 1 2 3 4 5 6 7 from 3",
                           "GROUP_M: 1 2 4 8 16 32 from 4"}));
}

TEST(Literals, GoThereAndBack) {
  for (const std::string text : {"128", "-3", "True", "None", "tl.float16", "1.5", "\"relu\""}) {
    EXPECT_EQ(PythonText(WordOf(text).value()), text);
  }
  EXPECT_EQ(ToText(WordOf("'relu'").value()), "relu");
  EXPECT_EQ(WordOf("\"a b\""), std::nullopt);
}

TEST(Literals, ANameThatIsWrittenElsewhereIsNoConstant) {
  const source::SyntaxTree tree =
      testing::Parsed("A = 1\nB = 2\nC = 3\nD = 4\ndef f():\n    global A\n    A = 5\n"
                      "for B in range(3): pass\nC += 1\n");
  std::vector<std::string> names;
  for (const NamedLiteral& one : FindNamedLiterals(tree)) names.push_back(one.name);
  EXPECT_EQ(names, std::vector<std::string>{"D"});
}

}  // namespace
}  // namespace croq::tune
