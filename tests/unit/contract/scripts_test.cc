#include "croq/contract/scripts.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdlib>

#include "unit/contract/helpers.h"

namespace croq::contract {
namespace {

using ::testing::HasSubstr;

ScriptContext Example() {
  ScriptContext context;
  context.paths = {"/tmp/out", "sm90_NVIDIA_H200", "triton", "matmul_f16fp32_4096x4096x4096",
                   "croq"};
  context.iteration = 7;
  context.tag = "tiled_128x256x64";
  context.path_folders = {"/opt/my env's/bin", "/opt/nvidia/nsight-compute/2025.3.1"};
  context.kernel_filter = KernelFilter(std::array<std::string, 1>{"matmul_kernel"});
  return context;
}

/// Equal to tests/golden/contract/scripts/<name>; CROQ_ACCEPT=1 writes it anew.
void ExpectGolden(const std::string& name, const std::string& text) {
  const auto file = SourceDir() / "tests" / "golden" / "contract" / "scripts" / name;
  if (std::getenv("CROQ_ACCEPT") != nullptr) {
    ASSERT_TRUE(WriteFileAtomic(file, text));
    GTEST_SKIP() << "wrote " << file;
  }
  EXPECT_EQ(text, MustRead(file));
}

TEST(Scripts, BuildIsTheContractsAfterThePreamble) {
  ExpectGolden("build_iter007.sh", RenderScripts(Triton(), Example()).value().build);
}

TEST(Scripts, RunIsTheContractsAfterThePreamble) {
  ExpectGolden("run_iter007.sh", RenderScripts(Triton(), Example()).value().run);
}

TEST(Scripts, ProfileIsTheContractsAfterThePreamble) {
  ExpectGolden("profile_iter007.sh", RenderScripts(Triton(), Example()).value().profile);
}

TEST(Scripts, NumbersGoOnPastThreeDigits) {
  ScriptContext context = Example();
  context.iteration = 1234;
  EXPECT_THAT(RenderScripts(Triton(), context).value().run, HasSubstr("timing_iter1234.txt"));
}

TEST(Scripts, RefuseNamesThatBreakOut) {
  for (const std::string& name : {std::string("../up"), std::string("a b"), std::string("a;b"),
                                  std::string(), std::string("$(x)"), std::string("..")}) {
    ScriptContext context = Example();
    context.paths.model = name;
    const auto rendered = RenderScripts(Triton(), context);
    ASSERT_FALSE(rendered.has_value()) << name;
    EXPECT_EQ(rendered.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(rendered.error().message, HasSubstr("model name"));
  }
}

TEST(Scripts, RefuseAFolderThatPathCannotHold) {
  ScriptContext context = Example();
  context.path_folders = {"/opt/a:b"};
  EXPECT_FALSE(RenderScripts(Triton(), context).has_value());
}

TEST(KernelFilter, IsExactButForTritonsSuffix) {
  EXPECT_EQ(KernelFilter(std::array<std::string, 1>{"mm"}), "regex:^(mm)(_[0-9][0-9A-Za-z_]*)?$");
  EXPECT_EQ(KernelFilter(std::array<std::string, 2>{"a", "b.c"}),
            "regex:^(a|b\\.c)(_[0-9][0-9A-Za-z_]*)?$");
}

TEST(KernelFilter, OfAPlanIsItsFirstLaunch) {
  LaunchPlan plan;
  EXPECT_EQ(KernelFilterOf(plan), "");
  plan.kernels.resize(2);
  plan.kernels[1].entry = "second";
  plan.steps = {FillStep{}, LaunchStep{1, {1, 1, 1}, {}}};
  EXPECT_EQ(FirstKernelOf(plan), "second");
  plan.steps = {LaunchStep{7, {1, 1, 1}, {}}};
  EXPECT_EQ(FirstKernelOf(plan), "");
}

TEST(Scripts, TheBaselineIsProfiledByTheLibrarysNames) {
  ScriptContext context = Example();
  context.kernel_filter.clear();
  EXPECT_THAT(RenderScripts(Triton(), context).value().profile,
              HasSubstr("--kernel-name 'regex:(gemm|nvjet|cutlass|xmma)'"));
}

TEST(ShellQuote, LeavesNothingToTheShell) {
  EXPECT_EQ(ShellQuote("plain"), "'plain'");
  EXPECT_EQ(ShellQuote("it's $HOME"), "'it'\\''s $HOME'");
}

TEST(Placeholders, OnlyWholeWordsCount) {
  EXPECT_TRUE(UnknownPlaceholders("a < b > c <gpu> 2>&1 > <NNN>").empty());
  EXPECT_THAT(UnknownPlaceholders("<gpu> <gpus>"), ::testing::ElementsAre("<gpus>"));
}

}  // namespace
}  // namespace croq::contract
