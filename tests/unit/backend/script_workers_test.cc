#include "croq/backend/script_workers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "croq/backend/brought_steps.h"
#include "croq/backend/script_host.h"
#include "croq/base/files.h"
#include "croq/process/siblings.h"
#include "support/processes.h"
#include "support/python.h"

namespace croq::backend {
namespace {

using croq::testing::TemporaryFolder;
using ::testing::HasSubstr;

/// The clients with tests/support/fake_worker.py: a request's entry is the fault it brings.
class ScriptWorkersTest : public ::testing::Test {
 protected:
  ScriptWorkersTest() {
    workers_.python = croq::testing::AnyPython();
    workers_.supervisor = process::FindSibling("croq-supervisor").value();
    workers_.program = {std::string(CROQ_SOURCE_DIR) + "/tests/support/fake_worker.py"};
    workers_.environment["CROQ_FAKE_STATE"] = folder_.path().string();
  }

  static protocol::InterpretRequest Job(const std::string& fault) {
    protocol::InterpretRequest job;
    job.source = "/nowhere/iter001_x.py";
    job.entry = fault;
    job.shape = ParseShapeKey("matmul_f16fp32_64x64x64").value();
    job.overrides = {{"NUM_PROGRAMS", std::int64_t{3}}, {"EVICT_A", std::string("evict_last")}};
    return job;
  }

  TemporaryFolder folder_;
  PythonWorkers workers_;
};

TEST_F(ScriptWorkersTest, InterpretsAndGivesTheNumbers) {
  InterpreterClient client(workers_, folder_.path() / "scratch");
  const auto result = client.Interpret(Job("kernel_fn"));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->ok);
  EXPECT_TRUE(result->passed);
  EXPECT_EQ(result->max_abs_err, 0.25);
  EXPECT_EQ(result->checked_as, "f16fp32");
}

TEST_F(ScriptWorkersTest, OneLostWorkerIsForgivenTwoAreTheCandidatesOutcome) {
  InterpreterClient client(workers_, folder_.path() / "scratch");
  EXPECT_TRUE(client.Interpret(Job("crash_once")).value().ok);
  const auto lost = client.Interpret(Job("crash"));
  ASSERT_TRUE(lost) << lost.error().message;
  EXPECT_FALSE(lost->ok);
  EXPECT_EQ(lost->outcome, Outcome::kRuntime);
  EXPECT_THAT(lost->message, HasSubstr("killed by SIGSEGV (11)"));
  EXPECT_TRUE(client.Interpret(Job("kernel_fn")).value().ok);
}

TEST_F(ScriptWorkersTest, ARefusedRequestIsAnError) {
  InterpreterClient client(workers_, folder_.path() / "scratch");
  const auto refused = client.Interpret(Job("refuse"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("field 'kernel' is missing"));
}

TEST_F(ScriptWorkersTest, AWorkerThatCannotStartIsAnErrorWithItsWords) {
  workers_.environment["CROQ_FAKE_START"] = "exit";
  CaptureClient client(workers_, folder_.path() / "scratch");
  protocol::CaptureRequest request;
  request.shape = ParseShapeKey("matmul_f16fp32_64x64x64").value();
  const auto captured = client.Capture(request);
  ASSERT_FALSE(captured);
  EXPECT_THAT(captured.error().message, HasSubstr("No module named 'triton'"));
}

/// A problem whose entry is the fault.
Problem Fault(const std::string& fault) {
  Problem problem;
  problem.key = MakeBroughtKey("f", DType::kF32, {{"M", 1}}).value();
  problem.entry = fault;
  return problem;
}

TEST_F(ScriptWorkersTest, CapturesGoOnSideBySide) {
  WorkerHostCapture capture(workers_, folder_.path() / "scratch", {}, 2);
  EXPECT_GT(capture.Room(), 2);
  const Problem slow = Fault("slow");
  std::vector<std::shared_future<Result<tune::Captured>>> futures;
  for (int i = 0; i < 4; ++i)
    futures.push_back(capture.Start(fmt::format("/nowhere/{}.py", i), slow.key, &slow));
  for (std::size_t i = 0; i < futures.size(); ++i) {
    const Result<tune::Captured>& captured = futures[i].get();
    ASSERT_TRUE(captured) << captured.error().message;
    EXPECT_EQ(captured->outcome, Outcome::kRuntime);
    EXPECT_THAT(captured->reason, HasSubstr(fmt::format("refuses /nowhere/{}.py", i)));
  }
}

TEST_F(ScriptWorkersTest, ACaptureThatKillsItsWorkerIsItsOwnOutcome) {
  WorkerHostCapture capture(workers_, folder_.path() / "scratch", {}, 1);
  const Problem crash = Fault("crash");
  const Problem fine = Fault("f");
  const auto lost = capture.Start("/nowhere/a.py", crash.key, &crash);
  EXPECT_THAT(capture.Capture("/nowhere/b.py", fine.key, &fine).value().reason,
              HasSubstr("refuses /nowhere/b.py"));
  EXPECT_THAT(lost.get().value().reason, HasSubstr("killed by SIGSEGV (11)"));
}

TEST_F(ScriptWorkersTest, CapturesThatWaitAreDroppedAtTheEnd) {
  const Problem slow = Fault("slow");
  std::shared_future<Result<tune::Captured>> last;
  {
    WorkerHostCapture capture(workers_, folder_.path() / "scratch", {}, 1);
    for (int i = 0; i < 50; ++i) last = capture.Start("/nowhere/a.py", slow.key, &slow);
  }
  EXPECT_THROW(last.get(), std::future_error);
}

TEST_F(ScriptWorkersTest, CaptureWorkersThatCannotStartAreAnErrorOfTheFirstCapture) {
  workers_.environment["CROQ_FAKE_START"] = "exit";
  WorkerHostCapture capture(workers_, folder_.path() / "scratch", {}, 2);
  const Problem fine = Fault("f");
  EXPECT_FALSE(capture.Capture("/nowhere/a.py", fine.key, &fine));
}

TEST_F(ScriptWorkersTest, ContractScriptsRunInTheirFolder) {
  ScriptHostOptions options;
  options.supervisor = workers_.supervisor;
  options.directory = folder_.path();
  SupervisedScriptHost host(options);
  const std::filesystem::path script = folder_.path() / "run_iter001.sh";
  ASSERT_TRUE(WriteFileAtomic(script, "#!/bin/sh\npwd\necho VERIFY: PASS\n", true));
  const auto run = host.Run(script, 60);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_TRUE(run->succeeded);
  EXPECT_EQ(run->output, std::filesystem::canonical(folder_.path()).string() + "\nVERIFY: PASS\n");

  ASSERT_TRUE(WriteFileAtomic(script, "#!/bin/sh\necho Traceback\nexit 2\n", true));
  EXPECT_EQ(host.Run(script, 60).value().reason, "exited with 2; its last words: Traceback");
  ASSERT_TRUE(WriteFileAtomic(script, "#!/bin/sh\nsleep 600\n", true));
  EXPECT_TRUE(host.Run(script, 0.2).value().timed_out);
}

}  // namespace
}  // namespace croq::backend
