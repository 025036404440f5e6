#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outlined.h"

namespace croq::source {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The autotuner that an expression for its arguments gives.
class Tuned {
 public:
  explicit Tuned(const std::string& arguments, const std::string& before = "")
      : outlined_(std::string(kImports) + before + "\n@triton.autotune(" + arguments +
                  ")\n@triton.jit\ndef k(x, n, A: tl.constexpr, B: tl.constexpr): pass\n") {}

  const AutotuneInfo& info() const { return *outlined_.Kernel("k").autotune; }

  /// `A=1 B=2 num_warps=4` a config.
  std::vector<std::string> Configs() const {
    std::vector<std::string> texts;
    for (const ConfigInfo& config : info().configs) {
      std::string text;
      for (const auto* settings : {&config.kwargs, &config.options}) {
        for (const Setting& setting : *settings) {
          text += (text.empty() ? "" : " ") + setting.name + "=" +
                  (setting.literal ? ToText(*setting.literal) : "?");
        }
      }
      texts.push_back(text + (config.pre_hook != nullptr ? " hook" : ""));
    }
    return texts;
  }

 private:
  Outlined outlined_;
};

void ExpectWhole(const std::string& configs, ConfigsForm form,
                 const std::vector<std::string>& expected, const std::string& before = "") {
  const Tuned tuned("configs=" + configs + ", key=['n']", before);
  EXPECT_EQ(tuned.Configs(), expected) << configs;
  EXPECT_TRUE(tuned.info().configs_known) << configs;
  EXPECT_EQ(tuned.info().form, form) << configs;
}

TEST(OutlineAutotune, ConfigsAsTheyAreWritten) {
  using enum ConfigsForm;
  ExpectWhole("[triton.Config({'A': 1, 'B': 'x'}, 8, num_stages=2), triton.Config(kwargs={})]",
              kLiteral, {"A=1 B='x' num_warps=8 num_stages=2", ""});
  ExpectWhole("[triton.Config(dict(A=-1, **D), pre_hook=h)]", kLiteral, {"A=-1 B=True hook"},
              "D = {'B': True}");
  ExpectWhole("[triton.Config({'A': a}, num_warps=w) for a in (1, 2) for w in [4, 8] if a * w < 16]",
              kComprehension, {"A=1 num_warps=4", "A=1 num_warps=8", "A=2 num_warps=4"});
  ExpectWhole("[triton.Config({'A': a, 'B': b}) for a, b in itertools.product([1, 2], repeat=2)]",
              kProduct, {"A=1 B=1", "A=1 B=2", "A=2 B=1", "A=2 B=2"});
  ExpectWhole("list(triton.Config({'A': 2**i}) for i in range(5, 7))", kComprehension,
              {"A=32", "A=64"});
  ExpectWhole("C", kName, {"A=1", "A=2"}, "C = [triton.Config({'A': a}) for a in (1, 2)]");
  ExpectWhole("[*C, X] + C", kExpression, {"A=1", "A=9", "A=1"},
              "C = [triton.Config({'A': 1})]; X = triton.Config({'A': 9})");
  ExpectWhole("C if FAST else [triton.Config({'A': 3})]", kExpression, {"A=3"},
              "FAST = False\nC = []");
  ExpectWhole("make()", kCall, {"A=1"}, "def make():\n  'doc'\n  return [triton.Config({'A': 1})]");
  ExpectWhole("make([1, 2])", kCall, {"A=1", "A=2"},
              "def make(list):\n  return [triton.Config({'A': a}) for a in list]");
  ExpectWhole("[triton.Config({'A': s, 'B': w}) for s, w in zip(S, [1, 2])]", kComprehension,
              {"A=32 B=1", "A=64 B=2"}, "S = [32, 64]");
}

TEST(OutlineAutotune, WhatIsOnlyKnownAtRunTimeIsSaidToBe) {
  const auto open = [](const std::string& configs, const std::string& before = "") {
    const Tuned tuned(configs + ", ['n']", before);
    EXPECT_FALSE(tuned.info().configs_known) << configs;
    return tuned.Configs();
  };
  EXPECT_THAT(open("make()", "def make():\n  out = []\n  out.append(triton.Config({'A': 1}))\n"
                             "  return out"),
              ElementsAre("A=1"));
  EXPECT_THAT(open("C", "C = []\nfor a in (1, 2): C.append(triton.Config({'A': a}))"),
              ElementsAre("A=?"));
  EXPECT_THAT(open("C", "C = [triton.Config({'A': 1})]\nC += more"), ElementsAre("A=1"));
  EXPECT_THAT(open("[triton.Config({'A': a}) for a in sizes()]"), ElementsAre("A=?"));
  EXPECT_THAT(open("[triton.Config({'A': SMS})]", "SMS = count()"), ElementsAre("A=?"));
  EXPECT_THAT(open("filter(f, [triton.Config({'A': 1})])"), ElementsAre("A=1"));
  EXPECT_THAT(open("C if slow() else [triton.Config({'A': 2})]", "C = [triton.Config({'A': 1})]"),
              ElementsAre("A=1", "A=2"));
  EXPECT_THAT(open("imported"), IsEmpty());
  EXPECT_THAT(open("X", "X = {**X}"), IsEmpty());
  EXPECT_THAT(open("[triton.Config(X)]", "X = {**X}"), ElementsAre(""));
}

TEST(OutlineAutotune, EveryArgument) {
  const Tuned tuned(
      "[triton.Config({})], ['n', 'A'], prune_configs_by={'early_config_prune': f, 'top_k': 0.5}, "
      "reset_to_zero=NAMES, restore_value=['x'], pre_hook=h, post_hook=None, warmup=3, rep=None, "
      "use_cuda_graph=True, do_bench=b, cache_results=True, **more",
      "NAMES = ['x'] + ['n']");
  const AutotuneInfo& info = tuned.info();
  ASSERT_EQ(info.key.words.size(), 2U);
  EXPECT_EQ(info.key.words[1].text, "A");
  EXPECT_EQ(info.reset_to_zero.words.size(), 2U);
  EXPECT_EQ(info.restore_value.words[0].text, "x");
  EXPECT_EQ(info.Prune("top_k")->literal, Literal(0.5));
  EXPECT_FALSE(info.Prune("early_config_prune")->literal);
  EXPECT_EQ(info.Prune("perf_model"), nullptr);
  EXPECT_EQ(info.Option("warmup")->literal, Literal(std::int64_t{3}));
  EXPECT_NE(info.Option("do_bench"), nullptr);
  EXPECT_NE(info.Option(""), nullptr);
  EXPECT_EQ(info.Option("key"), nullptr);
}

TEST(OutlineAutotune, ListsOfNames) {
  EXPECT_TRUE(Tuned("[], key=[]").info().key.known);
  EXPECT_FALSE(Tuned("[], key=names()").info().key.known);
  EXPECT_EQ(Tuned("[], key=None").info().key.node, nullptr);
  EXPECT_EQ(Tuned("[], key=('n',)").info().key.words.size(), 1U);
}

TEST(OutlineAutotune, AHugeProductEnds) {
  const Tuned tuned("[triton.Config({'A': a}) for a in range(4999) for b in range(4999)]");
  EXPECT_FALSE(tuned.info().configs_known);
  EXPECT_FALSE(Tuned("[triton.Config({'A': a}) for a in itertools.product(range(999), repeat=8)]")
                   .info()
                   .configs_known);
}

TEST(OutlineAutotune, Literals) {
  EXPECT_EQ(ToText(Literal()), "None");
  EXPECT_EQ(ToText(Literal(true)), "True");
  EXPECT_EQ(ToText(Literal(2.0)), "2.0");
  EXPECT_EQ(ToText(Literal(std::string("a'b\n"))), "'a\\'b\\n'");
}

}  // namespace
}  // namespace croq::source
