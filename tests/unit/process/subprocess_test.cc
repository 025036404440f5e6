#include "croq/process/subprocess.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "croq/process/pipe.h"
#include "croq/process/siblings.h"
#include "support/processes.h"

namespace croq::process {
namespace {

using croq::testing::ReadText;
using croq::testing::TemporaryFolder;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

SpawnOptions SpawnedShell(const std::string& script) {
  SpawnOptions options;
  options.argv = {"/bin/sh", "-c", script};
  options.environment = {{"PATH", "/usr/bin:/bin"}};
  return options;
}

ExitStatus EndOf(const std::string& script) {
  auto process = Subprocess::Spawn(SpawnedShell(script));
  EXPECT_TRUE(process) << process.error().message;
  return process->Wait(seconds(60)).value_or(ExitStatus{-1, -1});
}

TEST(SubprocessTest, SaysHowItEnded) {
  EXPECT_EQ(EndOf("exit 0").Text(), "exited with 0");
  EXPECT_TRUE(EndOf("exit 0").Succeeded());
  EXPECT_EQ(EndOf("exit 3").Text(), "exited with 3");
  EXPECT_EQ(EndOf("kill -SEGV $$").Text(), "killed by SIGSEGV (11)");
  EXPECT_FALSE(EndOf("kill -KILL $$").Succeeded());
}

TEST(SubprocessTest, OutputEnvironmentAndDirectoryAreTheOnesGiven) {
  const TemporaryFolder folder;
  ASSERT_EQ(::setenv("CROQ_TEST_LEAK", "seen", 1), 0);
  SpawnOptions options = SpawnedShell("pwd; echo \"[$ONLY][$CROQ_TEST_LEAK]\"; echo problem >&2; cat");
  options.environment["ONLY"] = "a b";
  options.directory = folder.path();
  options.output = SpawnOptions::Output::kFile;
  options.log_path = folder.path() / "log";
  auto process = Subprocess::Spawn(options);
  ASSERT_TRUE(process) << process.error().message;
  ASSERT_TRUE(process->Wait(seconds(60)));
  EXPECT_EQ(ReadText(folder.path() / "log"),
            std::filesystem::canonical(folder.path()).string() + "\n[a b][]\nproblem\n");
}

TEST(SubprocessTest, TheChildHasNoDescriptorsButItsOwn) {
  const TemporaryFolder folder;
  const int stray = ::open("/dev/null", O_RDONLY);  // without close-on-exec, on purpose
  ASSERT_GE(stray, 0);
  SpawnOptions options = SpawnedShell(
      "for fd in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do [ -e /proc/$$/fd/$fd ] && echo $fd; "
      "done");
  options.output = SpawnOptions::Output::kFile;
  options.log_path = folder.path() / "log";
  options.request_pipes = true;
  auto process = Subprocess::Spawn(options);
  ASSERT_TRUE(process) << process.error().message;
  ASSERT_TRUE(process->Wait(seconds(60)));
  ::close(stray);
  EXPECT_EQ(ReadText(folder.path() / "log"), "0\n1\n2\n3\n4\n");
}

TEST(SubprocessTest, RequestsAndRepliesTravelOnThreeAndFour) {
  SpawnOptions options = SpawnedShell("cat <&3 >&4");
  options.request_pipes = true;
  auto process = Subprocess::Spawn(options);
  ASSERT_TRUE(process) << process.error().message;
  const auto deadline = std::chrono::steady_clock::now() + seconds(60);
  ASSERT_TRUE(WriteAllBefore(process->request_fd(), "ping", deadline));
  process->CloseRequests();
  ASSERT_TRUE(process->Wait(seconds(60)));
  char reply[16] = {};
  EXPECT_EQ(::read(process->reply_fd().get(), reply, sizeof reply), 4);
  EXPECT_STREQ(reply, "ping");
}

TEST(SubprocessTest, WritingToADeadChildIsAnErrorNotASignal) {
  SpawnOptions options = SpawnedShell("exit 0");
  options.request_pipes = true;
  auto process = Subprocess::Spawn(options);
  ASSERT_TRUE(process) << process.error().message;
  ASSERT_TRUE(process->Wait(seconds(60)));
  const Status written =
      WriteAllBefore(process->request_fd(), "ping", std::chrono::steady_clock::now() + seconds(60));
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("Broken pipe"));
}

TEST(SubprocessTest, WritingToAChildThatDoesNotReadEndsAtTheDeadline) {
  SpawnOptions options = SpawnedShell("sleep 600");
  options.request_pipes = true;
  auto process = Subprocess::Spawn(options);
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_FALSE(WriteAllBefore(process->request_fd(), std::string(1 << 20, 'x'),
                              std::chrono::steady_clock::now() + milliseconds(50)));
}

TEST(SubprocessTest, AProgramThatIsNotThereIsAnErrorThatNamesIt) {
  SpawnOptions options;
  options.argv = {"/nowhere/at/all"};
  const auto process = Subprocess::Spawn(options);
  ASSERT_FALSE(process);
  EXPECT_THAT(process.error().message, HasSubstr("/nowhere/at/all: No such file"));
}

TEST(SubprocessTest, WaitGivesNothingWhileItRuns) {
  auto process = Subprocess::Spawn(SpawnedShell("sleep 600"));
  ASSERT_TRUE(process);
  EXPECT_FALSE(process->Wait(milliseconds(10)));
  EXPECT_TRUE(process->Running());
  EXPECT_EQ(process->Kill().Text(), "killed by SIGKILL (9)");
  EXPECT_FALSE(process->Running());
}

TEST(SubprocessTest, KillGivesAGraceAndThenNone) {
  const TemporaryFolder folder;
  const std::string ready = "echo $$ > " + (folder.path() / "pid").string();
  auto polite =
      Subprocess::Spawn(SpawnedShell("trap 'exit 7' TERM; " + ready + "; while :; do sleep 0.01; done"));
  ASSERT_TRUE(polite);
  ASSERT_EQ(croq::testing::AwaitPids(folder.path() / "pid", 1).size(), 1u);
  EXPECT_EQ(polite->Kill(seconds(60)).Text(), "exited with 7");

  std::filesystem::remove(folder.path() / "pid");
  auto deaf = Subprocess::Spawn(SpawnedShell("trap '' TERM; " + ready + "; while :; do sleep 1; done"));
  ASSERT_TRUE(deaf);
  ASSERT_EQ(croq::testing::AwaitPids(folder.path() / "pid", 1).size(), 1u);
  EXPECT_EQ(deaf->Kill(milliseconds(50)).Text(), "killed by SIGKILL (9)");
}

TEST(SubprocessTest, TheWholeGroupGoesWithIt) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "pids").string();
  {
    auto process = Subprocess::Spawn(
        SpawnedShell("sleep 600 & echo $! >> " + file + "; echo $$ >> " + file + "; wait"));
    ASSERT_TRUE(process);
    ASSERT_EQ(croq::testing::AwaitPids(file, 2).size(), 2u);
    EXPECT_NE(::getpgid(process->pid()), ::getpgid(0));
  }
  for (const pid_t pid : croq::testing::AwaitPids(file, 2)) {
    EXPECT_TRUE(croq::testing::Eventually([pid] { return !croq::testing::IsAlive(pid); })) << pid;
  }
}

TEST(FindSiblingTest, LooksBesideThisProgram) {
  const auto found = FindSibling("croq-supervisor");
  ASSERT_TRUE(found) << found.error().message;
  const auto missing = FindSibling("croq-nothing");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("croq-nothing"));
  EXPECT_FALSE(FindSibling("croq-supervisor", "/nowhere/croq-supervisor"));
}

}  // namespace
}  // namespace croq::process
