#include "croq/process/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "croq/process/siblings.h"
#include "support/processes.h"

namespace croq::process {
namespace {

using croq::testing::ReadText;
using croq::testing::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::StartsWith;

RunOptions Shell(const std::string& script) {
  RunOptions options;
  options.argv = {"sh", "-c", script};
  options.environment = {{"PATH", "/usr/bin:/bin"}};
  options.supervisor = FindSibling("croq-supervisor").value();
  return options;
}

RunResult RunIt(const RunOptions& options) {
  auto result = RunToCompletion(options);
  EXPECT_TRUE(result) << result.error().message;
  return result.value_or(RunResult{});
}

TEST(RunToCompletionTest, GivesOutputAndEnd) {
  const RunResult fine = RunIt(Shell("echo one; echo two >&2"));
  EXPECT_TRUE(fine.Succeeded());
  EXPECT_EQ(fine.output, "one\ntwo\n");
  const RunResult failed = RunIt(Shell("echo oops; exit 4"));
  EXPECT_FALSE(failed.Succeeded());
  EXPECT_EQ(failed.Text(), "exited with 4");
  EXPECT_EQ(RunIt(Shell("kill -ABRT $$")).Text(), "killed by SIGABRT (6)");
}

TEST(RunToCompletionTest, ACommandThatIsNotThereEndsWith127) {
  RunOptions options = Shell("");
  options.argv = {"no-such-command"};
  const RunResult result = RunIt(options);
  EXPECT_EQ(result.Text(), "exited with 127");
  EXPECT_THAT(result.output, HasSubstr("cannot start no-such-command: No such file"));
}

TEST(RunToCompletionTest, KillsAtTheDeadlineAndKeepsWhatWasSaid) {
  RunOptions options = Shell("trap '' TERM; echo begun; sleep 600");
  options.deadline = std::chrono::milliseconds(300);
  const RunResult result = RunIt(options);
  EXPECT_TRUE(result.timed_out);
  EXPECT_FALSE(result.Succeeded());
  EXPECT_THAT(result.Text(), StartsWith("still running after"));
  EXPECT_EQ(result.output, "begun\n");
}

TEST(RunToCompletionTest, AFloodIsCappedAndStillEndsAtTheDeadline) {
  const TemporaryFolder folder;
  RunOptions options = Shell("echo first; yes; ");
  options.deadline = std::chrono::milliseconds(300);
  options.head_bytes = options.tail_bytes = 1000;
  options.log_path = folder.path() / "log";
  const RunResult result = RunIt(options);
  EXPECT_TRUE(result.timed_out);
  EXPECT_THAT(result.output, StartsWith("first\ny\n"));
  EXPECT_LT(result.output.size(), 2100u);
  EXPECT_EQ(ReadText(folder.path() / "log"), result.output);
}

TEST(RunToCompletionTest, OneThatClosedItsOutputIsWaitedFor) {
  EXPECT_EQ(RunIt(Shell("exec >&- 2>&-; sleep 0.1; exit 5")).Text(), "exited with 5");
}

TEST(RunToCompletionTest, ABackgroundChildThatHoldsTheOutputDoesNotHoldTheRun) {
  const RunResult result = RunIt(Shell("setsid sleep 600 & echo done"));
  EXPECT_TRUE(result.Succeeded()) << result.Text();
  EXPECT_EQ(result.output, "done\n");
}

}  // namespace
}  // namespace croq::process
