#include <gmock/gmock.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>

#include "croq/contract/scripts.h"
#include "unit/contract/helpers.h"

/// The scripts run for real under bash, in a folder whose name has spaces, quotes and a $.
namespace croq::contract {
namespace {

using ::testing::HasSubstr;

struct Ran {
  int status = -1;
  std::string output;
};

Ran RunCommand(const std::string& command) {
  Ran ran;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr)
    return ran;
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    ran.output.append(buffer, got);
  }
  const int status = ::pclose(pipe);
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

/// Writes iter001's scripts with `python` as the body of the python3 they find, or with the real
/// interpreter where `python` is empty.
class ScriptsUnderBash : public ::testing::Test {
 protected:
  void Prepare(const std::string& source, const std::string& python) {
    context_.paths = {out_, "sm90_offline", "triton", "matmul_f16fp32_16x16x16", "croq"};
    context_.iteration = 1;
    context_.tag = "small";
    if (python.empty()) {
      context_.path_folders = {SourceDir() / ".venv" / "bin"};
    } else {
      const auto bin = folder_.path() / "bin";
      ASSERT_TRUE(MakeDirectories(bin));
      ASSERT_TRUE(WriteFileAtomic(bin / "python3", "#!/bin/sh\n" + python + "\n", true));
      context_.path_folders = {bin};
    }
    ASSERT_TRUE(MakeDirectories(context_.paths.Sources()));
    ASSERT_TRUE(MakeDirectories(context_.paths.Performance()));
    ASSERT_TRUE(WriteFileAtomic(context_.paths.Source("iter001_small"), source));
    const Status written = WriteScripts(Triton(), context_);
    ASSERT_TRUE(written) << written.error().message;
  }

  static Ran Bash(const std::filesystem::path& script) {
    // Another folder, a CDPATH that would make cd print, and no PYTHONPATH.
    return RunCommand("cd / && env -u PYTHONPATH CDPATH=/tmp " + ShellQuote(script.string()));
  }

  ScratchFolder folder_;
  std::filesystem::path out_ = folder_.path() / "out 'of' \"it\"";
  ScriptContext context_;
};

constexpr const char* kTritonSource = R"(import triton
import triton.language as tl

BLOCK = 16


@triton.jit
def copy_kernel(a_ptr, b_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(b_ptr + offsets, tl.load(a_ptr + offsets))
)";

class BuildUnderBash : public ScriptsUnderBash {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(SourceDir() / ".venv" / "bin" / "python3")) {
      GTEST_SKIP() << "no .venv beside the sources";
    }
  }
};

TEST_F(BuildUnderBash, ParsesAndImportsATritonFile) {
  Prepare(kTritonSource, "");
  const Ran ran = Bash(context_.paths.BuildScript(1));
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_EQ(ran.output, "parse OK\nimport OK\n");
}

TEST_F(BuildUnderBash, FailsWhereTheFileDoesNotParse) {
  Prepare("def broken(:\n", "");
  const Ran ran = Bash(context_.paths.BuildScript(1));
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.output, HasSubstr("SyntaxError"));
  EXPECT_THAT(ran.output, ::testing::Not(HasSubstr("OK")));
}

TEST_F(BuildUnderBash, FailsWhereTheImportDoes) {
  Prepare("import no_such_module_anywhere\n", "");
  const Ran ran = Bash(context_.paths.BuildScript(1));
  EXPECT_NE(ran.status, 0);
  EXPECT_THAT(ran.output, HasSubstr("parse OK\n"));
  EXPECT_THAT(ran.output, HasSubstr("ModuleNotFoundError"));
}

TEST_F(ScriptsUnderBash, RunKeepsTheOutputAndTheExitStatus) {
  Prepare("", "echo ran \"$1\"; echo to stderr >&2; exit 3");
  const Ran ran = Bash(context_.paths.RunScript(1));
  EXPECT_EQ(ran.status, 3) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("ran tuning/sm90_offline/triton/srcs/matmul_f16fp32_16x16x16/"
                                    "croq/iter001_small.py\n"));
  EXPECT_EQ(MustRead(context_.paths.TimingLog(1)), ran.output);
}

TEST_F(ScriptsUnderBash, RunPutsTheTreeOnPythonPath) {
  Prepare("", "echo \"[$PYTHONPATH]\"");
  const Ran ran = Bash(context_.paths.RunScript(1));
  EXPECT_EQ(ran.output, "[:" + std::filesystem::canonical(out_).string() + "]\n");
}

TEST_F(ScriptsUnderBash, TheTreeCanBeMoved) {
  Prepare("", "pwd");
  const auto moved = folder_.path() / "moved; echo no";
  std::filesystem::rename(out_, moved);
  context_.paths.out = moved;
  const Ran ran = Bash(context_.paths.RunScript(1));
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_EQ(ran.output, std::filesystem::canonical(moved).string() + "\n");
}

TEST_F(ScriptsUnderBash, ProfileStopsWhereTheProfilerFails) {
  Prepare("", "true");
  const auto bin = folder_.path() / "bin";
  ASSERT_TRUE(WriteFileAtomic(bin / "ncu", "#!/bin/sh\necho \"ncu $1\"; exit 9\n", true));
  const Ran ran = Bash(context_.paths.ProfileScript(1));
  EXPECT_EQ(ran.status, 9);
  EXPECT_EQ(ran.output, "ncu --kernel-name-base\n");
}

TEST_F(ScriptsUnderBash, ProfileWritesTheCsv) {
  Prepare("", "true");
  const auto bin = folder_.path() / "bin";
  ASSERT_TRUE(WriteFileAtomic(bin / "ncu", "#!/bin/sh\necho \"$1 $LC_ALL\"\n", true));
  const Ran ran = Bash(context_.paths.ProfileScript(1));
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_EQ(MustRead(context_.paths.ProfileCsv(1)), "--import C\n");
  EXPECT_EQ(MustRead(context_.paths.ProfileDetails(1)), "--import C\n");
}

}  // namespace
}  // namespace croq::contract
