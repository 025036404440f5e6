#include <gtest/gtest.h>

#include "croq/source/pin.h"
#include "support/parsed.h"

/// Pinning by place in a list that only importing the file shows.
namespace croq::source {
namespace {

constexpr const char* kHead = "import triton\nimport triton.language as tl\nimport os\n";
constexpr const char* kKernel =
    "@triton.jit\n"
    "def k(x, n, BLOCK: tl.constexpr):\n"
    "    tl.store(x, BLOCK)\n"
    "def launch(x):\n"
    "    k[(1,)](x, 5)\n";

MadeList ListOfK(std::vector<MadeConfig> configs, int line = 4) {
  return {"k", "k", line, std::move(configs)};
}

MadeConfig Block(const std::string& value, bool pre_hook = false) {
  MadeConfig config;
  config.values.constants = {{"BLOCK", value}};
  config.values.options = {{"num_warps", "8"}};
  config.pre_hook = pre_hook;
  return config;
}

Result<Pinned> PinMade(const std::string& autotune, std::size_t index, std::vector<MadeList> lists,
                       int* asked = nullptr) {
  const SyntaxTree tree = croq::testing::Parsed(kHead + autotune + kKernel);
  const Names names(tree);
  PinRequest request;
  request.indexes[""] = index;
  request.made = [&]() -> Result<std::vector<MadeList>> {
    if (asked != nullptr) ++*asked;
    return lists;
  };
  return Pin(tree, names, request);
}

std::string Refusal(const std::string& autotune, std::size_t index, std::vector<MadeList> lists) {
  const auto pinned = PinMade(autotune, index, std::move(lists));
  return pinned ? "pinned: " + pinned->source : pinned.error().message;
}

constexpr const char* kComputed = "@triton.autotune(configs=make(os.cpu_count()), key=['n'])\n";

TEST(PinMade, TakesWhatTheImportShowed) {
  const auto pinned = PinMade(kComputed, 1, {ListOfK({Block("64"), Block("32")})});
  ASSERT_TRUE(pinned) << pinned.error().message;
  EXPECT_NE(pinned->source.find("k[(1,)](x, 5, BLOCK=32, num_warps=8, num_stages=3)"),
            std::string::npos) << pinned->source;
  EXPECT_EQ(pinned->source.find("autotune"), std::string::npos);
}

TEST(PinMade, ReadableListsAreReadInTheFile) {
  int asked = 0;
  const auto pinned = PinMade("@triton.autotune(configs=[triton.Config({'BLOCK': 16})], key=[])\n", 0,
                              {ListOfK({Block("64")})}, &asked);
  ASSERT_TRUE(pinned) << pinned.error().message;
  EXPECT_NE(pinned->source.find("BLOCK=16"), std::string::npos);
  EXPECT_EQ(asked, 0);
}

TEST(PinMade, AComputedValueInAReadableListIsImported) {
  const std::string computed =
      "B = int(os.environ.get('B', '64'))\n"
      "@triton.autotune(configs=[triton.Config({'BLOCK': B}), triton.Config({'BLOCK': 32})], "
      "key=[])\n";
  int asked = 0;
  const auto pinned = PinMade(computed, 0, {ListOfK({Block("64"), Block("32")}, 5)}, &asked);
  ASSERT_TRUE(pinned) << pinned.error().message;
  EXPECT_NE(pinned->source.find("BLOCK=64"), std::string::npos) << pinned->source;
  EXPECT_EQ(asked, 1);
  EXPECT_NE(Refusal(computed, 2, {}).find("from 0 to 1, not 2"), std::string::npos);
}

TEST(PinMade, AListThatIsCutIsNotSaidToBeWhole) {
  const std::vector<MadeConfig> many(kMostMadeConfigs, Block("64"));
  EXPECT_NE(Refusal(kComputed, kMostMadeConfigs, {ListOfK(many)}).find("only the first 5000 conf"),
            std::string::npos);
}

TEST(PinMade, RefusesWhatCannotBeToldOrWritten) {
  EXPECT_NE(Refusal(kComputed, 2, {ListOfK({Block("64"), Block("32")})}).find("from 0 to 1, not 2"),
            std::string::npos);
  EXPECT_NE(Refusal(kComputed, 0, {}).find("does not show the autotuner of 'k'"),
            std::string::npos);
  EXPECT_NE(Refusal(kComputed, 0, {ListOfK({Block("64")}, 9)}).find("does not show the autotuner"),
            std::string::npos);
  MadeConfig config = Block("64");
  config.problem = "the value of 'T' is no literal";
  EXPECT_NE(Refusal(kComputed, 0, {ListOfK({config})}).find("'T' is no literal"),
            std::string::npos);
}

TEST(PinMade, AHookThatTheImportShowsMustBeInTheFile) {
  const std::string lost = Refusal(kComputed, 0, {ListOfK({Block("64", true)})});
  EXPECT_NE(lost.find("has a pre_hook, and which one can't be seen"), std::string::npos) << lost;
  const std::string seen =
      "def clear(nargs):\n    nargs['x'].zero_()\n"
      "@triton.autotune(configs=[triton.Config({'BLOCK': b}, pre_hook=clear) "
      "for b in range(32, 65 * len(os.sep), 32)], "
      "key=['n'])\n";
  const auto pinned = PinMade(seen, 0, {ListOfK({Block("64", true), Block("32", true)}, 6)});
  ASSERT_TRUE(pinned) << pinned.error().message;
  EXPECT_NE(pinned->source.find("clear({"), std::string::npos) << pinned->source;
}

TEST(PinMade, APrunerThatMakesConfigurationsIsRefused) {
  const std::string pruner =
      "def p(configs, nargs, **k):\n    return [triton.Config({'BLOCK': 8})]\n"
      "@triton.autotune(configs=make(os.cpu_count()), key=['n'], "
      "prune_configs_by={'early_config_prune': p})\n";
  EXPECT_NE(Refusal(pruner, 0, {ListOfK({Block("64")}, 6)}).find("makes or changes configurations"),
            std::string::npos);
}

}  // namespace
}  // namespace croq::source
