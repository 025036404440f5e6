#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "croq/process/run.h"
#include "croq/process/siblings.h"
#include "croq/process/subprocess.h"
#include "support/processes.h"

namespace croq::process {
namespace {

using croq::testing::AwaitPids;
using croq::testing::Eventually;
using croq::testing::IsAlive;
using croq::testing::TemporaryFolder;
using ::testing::HasSubstr;

/// A tree that resists: all ignore SIGTERM and SIGHUP; one left the session, one is an orphan.
constexpr const char* kStubbornTree = R"(
trap '' TERM HUP INT
sleep 600 & echo $! >> pids
setsid sh -c 'trap "" TERM HUP; sleep 600 & echo $! >> pids; echo $$ >> pids; wait' &
(setsid sleep 600 & echo $! >> pids)
echo $$ >> pids
)";
constexpr std::size_t kTreeSize = 5;

class SupervisorTest : public ::testing::Test {
 protected:
  SpawnOptions Shell(const std::string& script) {
    SpawnOptions options;
    options.argv = {"sh", "-c", script};
    options.environment = {{"PATH", "/usr/bin:/bin"}};
    options.directory = folder_.path();
    options.supervision = Supervision{FindSibling("croq-supervisor").value(), {}};
    return options;
  }

  RunResult RunWith(const std::string& script, const Limits& limits) {
    RunOptions options;
    options.argv = {"sh", "-c", script};
    options.environment = {{"PATH", "/usr/bin:/bin"}};
    options.directory = folder_.path();
    options.supervisor = FindSibling("croq-supervisor").value();
    options.limits = limits;
    return RunToCompletion(options).value();
  }

  std::vector<pid_t> TreePids() { return AwaitPids(folder_.path() / "pids", kTreeSize); }

  TemporaryFolder folder_;
};

void ExpectAllGone(const std::vector<pid_t>& pids) {
  EXPECT_FALSE(pids.empty());
  for (const pid_t pid : pids) {
    EXPECT_TRUE(Eventually([pid] { return !IsAlive(pid); })) << "process " << pid << " lives on";
  }
}

TEST_F(SupervisorTest, LettingGoKillsTheWholeTree) {
  auto process = Subprocess::Spawn(Shell(std::string(kStubbornTree) + "wait"));
  ASSERT_TRUE(process) << process.error().message;
  const std::vector<pid_t> pids = TreePids();
  ASSERT_EQ(pids.size(), kTreeSize);
  for (const pid_t pid : pids) EXPECT_TRUE(IsAlive(pid));
  EXPECT_EQ(process->Kill().Text(), "killed by SIGKILL (9)");
  // Kill returns when the supervisor has ended, and that is after the last of them.
  for (const pid_t pid : pids) EXPECT_FALSE(IsAlive(pid));
}

TEST_F(SupervisorTest, NothingIsLeftWhenTheOwnerIsKilled) {
  const pid_t owner = ::fork();
  ASSERT_GE(owner, 0);
  if (owner == 0) {
    auto process = Subprocess::Spawn(Shell(std::string(kStubbornTree) + "wait"));
    if (!process)
      ::_exit(1);
    while (true) ::pause();
  }
  const std::vector<pid_t> pids = TreePids();
  ASSERT_EQ(pids.size(), kTreeSize);
  ::kill(owner, SIGKILL);
  ::waitpid(owner, nullptr, 0);
  ExpectAllGone(pids);
}

TEST_F(SupervisorTest, TheCommandsEndTakesItsStragglersAlong) {
  auto process = Subprocess::Spawn(Shell(
      std::string(kStubbornTree) + "while [ $(wc -l < pids) -lt 5 ]; do sleep 0.01; done; exit 3"));
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_EQ(process->Wait(std::chrono::seconds(60)).value().Text(), "exited with 3");
  for (const pid_t pid : TreePids()) EXPECT_FALSE(IsAlive(pid));
}

TEST_F(SupervisorTest, TheCommandDiesWithAKilledSupervisor) {
  auto process = Subprocess::Spawn(Shell("echo $$ >> pids; exec sleep 600"));
  ASSERT_TRUE(process) << process.error().message;
  const std::vector<pid_t> pids = AwaitPids(folder_.path() / "pids", 1);
  ::kill(process->pid(), SIGKILL);
  EXPECT_EQ(process->Wait(std::chrono::seconds(60)).value().Text(), "killed by SIGKILL (9)");
  ExpectAllGone(pids);
}

TEST_F(SupervisorTest, PassesTerminationOnToTheCommand) {
  auto process =
      Subprocess::Spawn(Shell("trap 'exit 9' TERM; echo $$ >> pids; while :; do sleep 0.01; done"));
  ASSERT_TRUE(process) << process.error().message;
  ASSERT_EQ(AwaitPids(folder_.path() / "pids", 1).size(), 1u);
  EXPECT_EQ(process->Kill(std::chrono::seconds(60)).Text(), "exited with 9");
}

TEST_F(SupervisorTest, RepliesEndWhenTheCommandDies) {
  SpawnOptions options = Shell("cat <&3 >&4");
  options.request_pipes = true;
  auto process = Subprocess::Spawn(options);
  ASSERT_TRUE(process) << process.error().message;
  process->CloseRequests();
  char byte = 0;
  EXPECT_TRUE(Eventually([&] { return ::read(process->reply_fd().get(), &byte, 1) == 0; }));
}

TEST_F(SupervisorTest, TheCommandSeesOnlyItsOwnDescriptors) {
  EXPECT_EQ(RunWith("for fd in 0 1 2 3 4 5 6 7 8 9 10 11 12; do "
                    "[ -e /proc/$$/fd/$fd ] && echo $fd; done",
                    {})
                .output,
            "0\n1\n2\n");
}

TEST_F(SupervisorTest, LimitsHold) {
  Limits limits;
  limits.file_bytes = 1000;
  EXPECT_EQ(RunWith("exec head -c 5000 /dev/zero > big", limits).Text(), "killed by SIGXFSZ (25)");
  EXPECT_EQ(std::filesystem::file_size(folder_.path() / "big"), 1000u);
  limits = {};
  limits.cpu_seconds = 1;
  EXPECT_EQ(RunWith("while :; do :; done", limits).Text(), "killed by SIGXCPU (24)");
  limits = {};
  limits.memory_bytes = 64 << 20;
  EXPECT_THAT(RunWith("head -c 1G /dev/zero | tail -c 900M > /dev/null", limits).output,
              HasSubstr("memory"));
}

TEST_F(SupervisorTest, ABadCommandLineIsSaidAndEndsWith125) {
  SpawnOptions options;
  options.argv = {FindSibling("croq-supervisor").value().string(), "--nonsense", "1"};
  options.output = SpawnOptions::Output::kFile;
  options.log_path = folder_.path() / "log";
  auto process = Subprocess::Spawn(options);
  ASSERT_TRUE(process) << process.error().message;
  EXPECT_EQ(process->Wait(std::chrono::seconds(60)).value().Text(), "exited with 125");
  EXPECT_THAT(croq::testing::ReadText(folder_.path() / "log"), HasSubstr("unknown option"));
}

}  // namespace
}  // namespace croq::process
