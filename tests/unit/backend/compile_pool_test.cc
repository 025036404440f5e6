#include "croq/backend/compile_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "croq/process/siblings.h"
#include "support/processes.h"
#include "support/python.h"

namespace croq::backend {
namespace {

using croq::testing::AwaitPids;
using croq::testing::Eventually;
using croq::testing::IsAlive;
using croq::testing::ReadText;
using croq::testing::TemporaryFolder;
using std::chrono::milliseconds;
using Seconds = std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// The pool with tests/support/fake_worker.py: a job's kernel name is the fault it brings.
class CompilePoolTest : public ::testing::Test {
 protected:
  CompilePoolTest() {
    options_.python.python = croq::testing::AnyPython();
    options_.python.worker_folder = folder_.path();
    options_.python.supervisor = process::FindSibling("croq-supervisor").value();
    options_.python.program = {std::string(CROQ_SOURCE_DIR) + "/tests/support/fake_worker.py"};
    options_.python.environment["CROQ_FAKE_STATE"] = folder_.path().string();
    options_.python.environment["CROQ_FAKE_CUBIN"] =
        std::string(CROQ_SOURCE_DIR) + "/tests/data/matmul_sm90.cubin";
    options_.work_folder = folder_.path() / "work";
  }

  void Start() {
    auto pool = CompilePool::Start(options_);
    ASSERT_TRUE(pool) << pool.error().message;
    pool_ = std::move(*pool);
  }

  void Submit(std::int64_t ticket, const std::string& fault) {
    CompileJob job;
    job.source_path = "/nowhere/kernel.py";
    job.kernel = fault;
    const Status submitted = pool_->Submit(ticket, std::move(job));
    EXPECT_TRUE(submitted) << submitted.error().message;
  }

  tune::BuildResult Next() {
    auto result = pool_->Next(Seconds(60));
    EXPECT_TRUE(result) << result.error().message;
    if (!result || !*result) {
      ADD_FAILURE() << "no result came";
      return {};
    }
    return std::move(**result);
  }

  tune::BuildResult Build(const std::string& fault) {
    if (!pool_)
      Start();
    Submit(1, fault);
    return Next();
  }

  /// The error that ends the pool.
  std::string FaultOf() {
    Start();
    auto result = pool_->Next(Seconds(60));
    EXPECT_FALSE(result);
    return result ? std::string() : result.error().message;
  }

  TemporaryFolder folder_;
  CompilePoolOptions options_;
  std::unique_ptr<CompilePool> pool_;
};

TEST_F(CompilePoolTest, CompilesAndReadsTheCubin) {
  const tune::BuildResult built = Build("ok");
  EXPECT_EQ(built.outcome, Outcome::kCorrect) << built.reason;
  EXPECT_EQ(built.ticket, 1);
  EXPECT_EQ(built.compile_ms, 1.5);
  EXPECT_GT(built.kernel.registers, 0);
  EXPECT_EQ(built.kernel.shared_bytes, 1024);
  EXPECT_EQ(
      built.kernel.cubin_path,
      (options_.work_folder / "cubins" / (built.kernel.cubin_fingerprint + ".cubin")).string());
  EXPECT_TRUE(std::filesystem::exists(built.kernel.cubin_path));
  EXPECT_THAT(built.log_path, IsEmpty());
  EXPECT_EQ(pool_->Pending(), 0);
  EXPECT_EQ(pool_->Replacements(), 0);
}

TEST_F(CompilePoolTest, WhatWasNotSpecialisedIsNoSuchConfiguration) {
  Start();
  CompileJob job;
  job.source_path = "/nowhere/kernel.py";
  job.kernel = "ok";
  job.warp_specialize = true;
  ASSERT_TRUE(pool_->Submit(7, job));
  const tune::BuildResult declined = Next();
  EXPECT_EQ(declined.ticket, 7);
  EXPECT_EQ(declined.outcome, Outcome::kConstraints);
  EXPECT_THAT(declined.reason, HasSubstr("not warp-specialised"));
  job.kernel = "specialise";
  ASSERT_TRUE(pool_->Submit(8, job));
  EXPECT_EQ(Next().outcome, Outcome::kCorrect);
}

TEST_F(CompilePoolTest, EveryTicketComesBackOnce) {
  options_.workers = 3;
  Start();
  EXPECT_EQ(pool_->Capacity(), 6);
  constexpr int kJobs = 40;
  for (int i = 0; i < kJobs; ++i) Submit(i, i % 5 == 0 ? "fail" : "ok");
  EXPECT_GT(pool_->Pending(), 0);
  std::map<std::int64_t, int> seen;
  for (int i = 0; i < kJobs; ++i) {
    const tune::BuildResult built = Next();
    ++seen[built.ticket];
    EXPECT_EQ(built.outcome, built.ticket % 5 == 0 ? Outcome::kCompile : Outcome::kCorrect);
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(kJobs));
  EXPECT_EQ(pool_->Pending(), 0);
  EXPECT_FALSE(pool_->Next(milliseconds(0)).value());
}

TEST_F(CompilePoolTest, AFailedCompileIsDataAndTheWorkerStays) {
  const tune::BuildResult built = Build("fail");
  EXPECT_EQ(built.outcome, Outcome::kCompile);
  EXPECT_EQ(built.reason, "CompilationError: no such name");
  EXPECT_EQ(pool_->Replacements(), 0);
}

TEST_F(CompilePoolTest, WhatTheCompilerPrintedIsKeptAndCapped) {
  const tune::BuildResult built = Build("flood_then_fail");
  EXPECT_EQ(built.outcome, Outcome::kCompile);
  const std::string log = ReadText(built.log_path);
  EXPECT_THAT(log, HasSubstr("// PTX xxx"));
  EXPECT_THAT(log, HasSubstr("bytes left out"));
  EXPECT_THAT(log, HasSubstr("ptxas fatal : last line"));
  EXPECT_LT(log.size(), 140'000u);
  EXPECT_EQ(Build("fail").outcome, Outcome::kCompile);
}

TEST_F(CompilePoolTest, ACrashIsBlamedAfterASecondFreshWorkerOnly) {
  const tune::BuildResult once = Build("crash_once");
  EXPECT_EQ(once.outcome, Outcome::kCorrect) << once.reason;
  EXPECT_EQ(pool_->Replacements(), 1);
  const tune::BuildResult twice = Build("crash");
  EXPECT_EQ(twice.outcome, Outcome::kCompile);
  EXPECT_THAT(twice.reason, HasSubstr("killed by SIGSEGV (11)"));
  EXPECT_THAT(ReadText(twice.log_path), HasSubstr("LLVM ERROR: out of ideas"));
  EXPECT_TRUE(Eventually([this] { return pool_->Replacements() == 3; }));
  EXPECT_EQ(Build("ok").outcome, Outcome::kCorrect);
}

TEST_F(CompilePoolTest, AWorkerThatExitsIsTheSameAsOneThatCrashed) {
  EXPECT_EQ(Build("exit_once").outcome, Outcome::kCorrect);
  EXPECT_THAT(Build("exit").reason, HasSubstr("exited with 3"));
}

TEST_F(CompilePoolTest, AHangIsKilledAndATimeoutOnlyTheSecondTime) {
  options_.most_deadline = options_.least_deadline = milliseconds(500);
  const tune::BuildResult once = Build("hang_once");
  EXPECT_EQ(once.outcome, Outcome::kCorrect) << once.reason;
  const tune::BuildResult twice = Build("hang");
  EXPECT_EQ(twice.outcome, Outcome::kTimeout);
  EXPECT_THAT(twice.reason, HasSubstr("still compiling after 0.5 s"));
  EXPECT_THAT(ReadText(twice.log_path), HasSubstr("about to hang"));
  EXPECT_EQ(Build("ok").outcome, Outcome::kCorrect);
}

TEST_F(CompilePoolTest, AHangTakesItsCompilerProcessesWithIt) {
  options_.most_deadline = options_.least_deadline = milliseconds(1500);
  EXPECT_EQ(Build("deep_hang_once").outcome, Outcome::kCorrect);
  for (const pid_t pid : AwaitPids(folder_.path() / "pids", 2)) EXPECT_FALSE(IsAlive(pid));
}

TEST_F(CompilePoolTest, OtherWorkersGoOnWhileOneHangs) {
  options_.workers = 2;
  options_.most_deadline = options_.least_deadline = milliseconds(1500);
  Start();
  Submit(0, "hang");
  for (int i = 1; i <= 5; ++i) Submit(i, "ok");
  for (int i = 1; i <= 5; ++i) EXPECT_EQ(Next().outcome, Outcome::kCorrect);
  EXPECT_EQ(Next().outcome, Outcome::kTimeout);
}

TEST_F(CompilePoolTest, NonsenseFromAWorkerIsAWorkerLost) {
  for (const char* fault : {"garbage", "not_json", "torn", "wrong_id", "unreadable"}) {
    EXPECT_EQ(Build(std::string(fault) + "_once").outcome, Outcome::kCorrect) << fault;
    const tune::BuildResult twice = Build(fault);
    EXPECT_EQ(twice.outcome, Outcome::kCompile) << fault;
    EXPECT_THAT(twice.reason, Not(IsEmpty())) << fault;
  }
  EXPECT_EQ(Build("ok").outcome, Outcome::kCorrect);
}

TEST_F(CompilePoolTest, ARetiredWorkerIsReplacedWithoutRepeatingTheJob) {
  const tune::BuildResult built = Build("retire");
  EXPECT_EQ(built.outcome, Outcome::kCompile);
  EXPECT_EQ(built.reason, "RuntimeError: PassManager::run failed");
  EXPECT_EQ(Build("ok").outcome, Outcome::kCorrect);
  EXPECT_EQ(pool_->Replacements(), 1);
}

TEST_F(CompilePoolTest, ARefusedRequestIsNotRepeated) {
  const tune::BuildResult built = Build("refuse");
  EXPECT_EQ(built.outcome, Outcome::kCompile);
  EXPECT_THAT(built.reason, HasSubstr("field 'kernel' is missing"));
}

TEST_F(CompilePoolTest, AWorkerThatDiesBetweenJobsIsReplacedUnseen) {
  EXPECT_EQ(Build("die_idle").outcome, Outcome::kCorrect);
  EXPECT_TRUE(Eventually([this] { return pool_->Replacements() == 1; }));
  EXPECT_EQ(Build("ok").outcome, Outcome::kCorrect);
}

TEST_F(CompilePoolTest, AFullDiskEndsThePoolAndBlamesNobody) {
  Start();
  Submit(1, "disk_full");
  const auto result = pool_->Next(Seconds(60));
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("is full: free some space"));
}

TEST_F(CompilePoolTest, AWorkerThatCannotStartSaysWhatItsLogSays) {
  options_.python.environment["CROQ_FAKE_START"] = "exit";
  EXPECT_THAT(FaultOf(),
              ::testing::AllOf(HasSubstr("does not start, 3 times in a row: exited with 1"),
                               HasSubstr("No module named 'triton'")));
  EXPECT_FALSE(pool_->Submit(1, {}));
}

TEST_F(CompilePoolTest, OneBadStartIsForgiven) {
  options_.python.environment["CROQ_FAKE_START"] = "exit_once";
  EXPECT_EQ(Build("ok").outcome, Outcome::kCorrect);
}

TEST_F(CompilePoolTest, AWorkerOfAnotherVersionIsRefused) {
  options_.python.environment["CROQ_FAKE_START"] = "wrong_version";
  EXPECT_THAT(FaultOf(), HasSubstr("9.9.9"));
}

TEST_F(CompilePoolTest, AWorkerOfAnotherKindIsRefused) {
  options_.python.environment["CROQ_FAKE_START"] = "wrong_kind";
  EXPECT_THAT(FaultOf(), HasSubstr("a worker of kind 'other' answered"));
}

TEST_F(CompilePoolTest, ASilentWorkerIsGivenUp) {
  options_.python.environment["CROQ_FAKE_START"] = "silent";
  options_.python.hello_wait = milliseconds(200);
  EXPECT_THAT(FaultOf(), HasSubstr("no hello within 0.2 s"));
}

TEST_F(CompilePoolTest, AWorkerThatDiesRightAfterItsHelloIsGivenUp) {
  options_.python.environment["CROQ_FAKE_START"] = "die";
  EXPECT_THAT(FaultOf(), HasSubstr("exited with 5"));
}

TEST_F(CompilePoolTest, APythonThatIsNotThereIsNamed) {
  options_.python.python = "/nowhere/python3";
  EXPECT_THAT(FaultOf(), HasSubstr("cannot start /nowhere/python3: No such file"));
}

TEST_F(CompilePoolTest, NothingRunsOnAfterThePool) {
  options_.workers = 2;
  Start();
  Submit(1, "deep_hang");
  const std::vector<pid_t> pids = AwaitPids(folder_.path() / "pids", 2);
  ASSERT_EQ(pids.size(), 2u);
  pool_.reset();
  for (const pid_t pid : pids) EXPECT_FALSE(IsAlive(pid));
  EXPECT_TRUE(std::filesystem::is_empty(options_.work_folder / "workers"));
}

}  // namespace
}  // namespace croq::backend
