#include "croq/backend/ncu_profiler.h"

#include <gmock/gmock.h>

#include <array>

#include "croq/backend/replay_profiler.h"
#include "croq/backend/script_host.h"
#include "croq/base/files.h"
#include "croq/contract/scripts.h"
#include "croq/process/siblings.h"
#include "support/processes.h"

namespace croq::backend {
namespace {

using croq::testing::TemporaryFolder;
using profile::NcuProblem;
using ::testing::AllOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr double kDeadline = 60;

/// The contract's own profile script with tests/support/fake_ncu.sh for an ncu.
class NcuProfilerTest : public ::testing::Test {
 protected:
  NcuProfilerTest()
      : contract_(contract::LoadContract(fs::path(CROQ_SOURCE_DIR) / "contracts" / "triton.toml")
                      .value()) {
    const fs::path bin = folder_.path() / "bin";
    fs::create_directories(bin);
    fs::create_symlink(fs::path(CROQ_SOURCE_DIR) / "tests" / "support" / "fake_ncu.sh",
                       bin / "ncu");
    paths_ = {folder_.path() / "out", "sm90_NVIDIA_H200", "triton", "matmul_f16fp32_64x64x64",
              "croq"};
    context_ = {paths_, 3, "tiled", {bin}, contract::KernelFilter(std::array{Kernel()})};
    options_.supervisor = process::FindSibling("croq-supervisor").value();
    options_.directory = folder_.path();
    options_.environment = process::CurrentEnvironment();
    Set("FAKE_NCU_RAW", Golden("mm_raw_base.csv"));
    Set("FAKE_NCU_DETAILS", Golden("mm_details_base.csv"));
    Set("FAKE_NCU_CALLS", (folder_.path() / "calls").string());
    request_.script = paths_.ProfileScript(3);
    request_.files = {paths_.ProfileReport(3), paths_.ProfileCsv(3), paths_.ProfileDetails(3)};
    request_.kernels = {Kernel()};
  }

  static std::string Kernel() { return "croq_mm"; }
  static std::string Golden(const std::string& name) {
    return (fs::path(CROQ_SOURCE_DIR) / "tests" / "golden" / "ncu" / name).string();
  }
  void Set(const std::string& name, const std::string& value) {
    options_.environment[name] = value;
  }
  std::string Calls() { return ReadFile(folder_.path() / "calls").value_or(""); }

  ProfileOutcome Run(double deadline = kDeadline) {
    EXPECT_TRUE(contract::WriteScripts(contract_, context_));
    EXPECT_TRUE(MakeDirectories(paths_.Performance()));
    SupervisedScriptHost host(options_);
    auto outcome = NcuProfiler(host, contract_).Profile(request_, deadline);
    EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
    return outcome.value_or(ProfileOutcome());
  }

  TemporaryFolder folder_;
  contract::Contract contract_;
  SessionPaths paths_;
  contract::ScriptContext context_;
  ScriptHostOptions options_;
  ProfileRequest request_;
};

TEST_F(NcuProfilerTest, GivesTheVerdictWithNvidiasBesideIt) {
  const ProfileOutcome outcome = Run();
  ASSERT_TRUE(outcome.Succeeded()) << outcome.reason << "\n" << outcome.output;
  EXPECT_EQ(outcome.report->kernel, "croq_mm");
  EXPECT_EQ(outcome.report->verdict.bottleneck, profile::Bottleneck::kCompute);
  ASSERT_TRUE(outcome.report->nvidia.has_value()) << outcome.report->no_nvidia;
  EXPECT_EQ(outcome.report->nvidia->verdict, "High Throughput");
}

TEST_F(NcuProfilerTest, AsksForOneLaunchOfTheKernelInLocaleC) {
  ASSERT_TRUE(Run().Succeeded());
  EXPECT_THAT(Calls(), AllOf(HasSubstr("LC_ALL=C --kernel-name-base function"),
                             HasSubstr("--launch-skip 3 --launch-count 1 --clock-control none"),
                             HasSubstr("--kernel-name regex:^(croq_mm)(_[0-9][0-9A-Za-z_]*)?$"),
                             HasSubstr("--set full"), HasSubstr("--page raw --print-units base"),
                             HasSubstr("--page details --print-units base")));
}

TEST_F(NcuProfilerTest, NamesEachFailure) {
  struct Case {
    const char* mode;
    NcuProblem problem;
    const char* part;
  };
  for (const auto& [mode, problem, part] : std::initializer_list<Case>{
           {"permission", NcuProblem::kNoPermission, "NVreg_RestrictProfilingToAdminUsers=0"},
           {"no_kernels", NcuProblem::kNoKernels, "profiled no kernel"},
           {"silent", NcuProblem::kNoKernels, "Failed to open input file"},
           {"driver", NcuProblem::kDriver, "not compatible with Nsight Compute.); use"},
           {"old", NcuProblem::kDriver, "unrecognised option"},
           {"busy", NcuProblem::kBusy, "dcgmi profiling --pause"},
           {"sandbox", NcuProblem::kSandbox, "sandbox"},
           {"application", NcuProblem::kApplication, "run script"},
           {"odd", NcuProblem::kOther, "something nobody has seen before"}}) {
    Set("FAKE_NCU", mode);
    const ProfileOutcome outcome = Run();
    EXPECT_FALSE(outcome.Succeeded()) << mode;
    EXPECT_EQ(outcome.problem, problem) << mode << ": " << outcome.reason;
    EXPECT_THAT(outcome.reason, HasSubstr(part)) << mode;
  }
}

TEST_F(NcuProfilerTest, AnOldExportDoesNotPassForANewOne) {
  ASSERT_TRUE(Run().Succeeded());
  Set("FAKE_NCU", "no_kernels");
  EXPECT_EQ(Run().problem, NcuProblem::kNoKernels);
  EXPECT_FALSE(fs::exists(request_.files.report));
}

TEST_F(NcuProfilerTest, AnotherKernelIsRefused) {
  Set("FAKE_NCU_RAW", Golden("add_raw_default.csv"));
  const ProfileOutcome outcome = Run();
  EXPECT_EQ(outcome.problem, NcuProblem::kWrongKernel);
  EXPECT_THAT(outcome.reason, HasSubstr("croq_add instead of croq_mm"));
}

TEST_F(NcuProfilerTest, WithoutNcuItSaysSo) {
  fs::remove(folder_.path() / "bin" / "ncu");
  options_.environment["PATH"] = "/usr/bin:/bin";
  if (fs::exists("/usr/bin/ncu") || fs::exists("/bin/ncu"))
    GTEST_SKIP() << "this machine has an ncu in /usr/bin";
  const ProfileOutcome outcome = Run();
  EXPECT_EQ(outcome.problem, NcuProblem::kNoProfiler) << outcome.output;
  EXPECT_THAT(outcome.reason, HasSubstr("install NVIDIA Nsight Compute"));
}

TEST_F(NcuProfilerTest, IsKilledAtItsDeadlineWithAllItStarted) {
  Set("FAKE_NCU", "hang");
  const ProfileOutcome outcome = Run(0.5);
  EXPECT_EQ(outcome.problem, NcuProblem::kTimeout);
  EXPECT_LT(outcome.seconds, 300);  // the sleep is of 600 s
}

LaunchPlan Plan() {
  LaunchPlan plan;
  plan.kernels.resize(2);
  plan.kernels[0].entry = "other";
  plan.kernels[1].entry = "croq_mm";
  plan.steps = {FillStep{}, LaunchStep{1, {1, 1, 1}, {}}, LaunchStep{0, {1, 1, 1}, {}}};
  return plan;
}

class ReplayTest : public NcuProfilerTest {
 protected:
  ReplayTest() {
    replay_.runner = folder_.path() / "bin" / "fake runner";
    replay_.folder = folder_.path() / "it's a folder";
    replay_.prepare.shape = ParseShapeKey("matmul_f16fp32_64x64x64").value();
    replay_.path_folders = {folder_.path() / "bin"};
    replay_.deadline_seconds = kDeadline;
    Set("FAKE_NCU_STARTS", "1");
    // It keeps what it was asked and answers what it is told to.
    EXPECT_TRUE(WriteFileAtomic(replay_.runner,
                                "#!/bin/bash\ncat <&3 > \"$(dirname \"$0\")/asked\"\n"
                                "[ -z \"$SAY\" ] || cat \"$SAY\" >&4\n",
                                true));
  }

  ProfileOutcome Replay() {
    SupervisedScriptHost host(options_);
    NcuProfiler profiler(host, contract_);
    ReplayProfiler replay(replay_, profiler, contract_);
    auto outcome = replay.ProfilePlan(Plan(), std::nullopt);
    EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
    return outcome.value_or(ProfileOutcome());
  }

  ReplayOptions replay_;
};

TEST_F(ReplayTest, StartsTheRunnerOnARecordedPlan) {
  const ProfileOutcome outcome = Replay();
  ASSERT_TRUE(outcome.Succeeded()) << outcome.reason << "\n" << outcome.output;
  EXPECT_EQ(outcome.report->kernel, "croq_mm");
  const std::string asked = ReadFile(folder_.path() / "bin" / "asked").value_or("");
  EXPECT_THAT(asked, AllOf(HasSubstr("\"open\""), HasSubstr("\"prepare\""), HasSubstr("\"time\""),
                           HasSubstr("matmul_f16fp32_64x64x64"), HasSubstr("croq_mm")));
  EXPECT_THAT(Calls(), AllOf(HasSubstr("--section SpeedOfLight"), HasSubstr("--launch-count 1"),
                             HasSubstr("--kernel-name regex:^(croq_mm)")));
}

TEST_F(ReplayTest, IsASourceOfProfiles) {
  ASSERT_TRUE(MakeDirectories(paths_.Commands()));
  replay_.session = paths_;
  SupervisedScriptHost host(options_);
  NcuProfiler profiler(host, contract_);
  ReplayProfiler replay(replay_, profiler, contract_);
  tune::Candidate candidate;
  candidate.plan = Plan();
  const auto known = replay.Profile(candidate, {kDeadline, 7});
  ASSERT_TRUE(known.has_value()) << known.error().message;
  EXPECT_EQ(known->bottleneck, "compute_bound");
  EXPECT_FALSE(known->is_static);
  EXPECT_NE(known->Find("tensor_pct"), nullptr);
  EXPECT_EQ(known->kernel, "croq_mm");
  // Under the contract's names, and not overwritten by the next profile.
  for (const auto& file : {paths_.ProfileReport(7), paths_.ProfileCsv(7), paths_.ProfileDetails(7)})
    EXPECT_TRUE(std::filesystem::exists(file)) << file;
  EXPECT_FALSE(replay.ProfileBaseline(kDeadline).has_value()) << "it has no script";
  ASSERT_TRUE(WriteFileAtomic(paths_.ProfileScript(0),
                              ReplayScript(contract_, replay_,
                                           {paths_.ProfileReport(0), paths_.ProfileCsv(0),
                                            paths_.ProfileDetails(0)}, "croq_mm"),
                              true));
  const auto baseline = replay.ProfileBaseline(kDeadline);
  ASSERT_TRUE(baseline.has_value()) << baseline.error().message;
  EXPECT_EQ(baseline->bottleneck, "compute_bound");
  Set("FAKE_NCU", "permission");
  SupervisedScriptHost refused(options_);
  NcuProfiler other(refused, contract_);
  const auto none = ReplayProfiler(replay_, other, contract_).Profile(candidate, {kDeadline});
  ASSERT_FALSE(none.has_value());
  EXPECT_THAT(none.error().message, HasSubstr("CAP_SYS_ADMIN"));
}

TEST_F(ReplayTest, SaysWhatTheRunnerSaid) {
  const std::string reply = R"({"type":"error","id":2,"message":"out of device memory"})";
  std::string frame(4, '\0');
  frame[0] = static_cast<char>(reply.size());
  ASSERT_TRUE(WriteFile(folder_.path() / "reply", frame + reply));
  Set("SAY", (folder_.path() / "reply").string());
  Set("FAKE_NCU", "no_kernels");
  const ProfileOutcome outcome = Replay();
  EXPECT_EQ(outcome.problem, NcuProblem::kNoKernels);
  EXPECT_THAT(outcome.reason, HasSubstr("croq-runner says: out of device memory"));
}

TEST_F(ReplayTest, APlanWithoutALaunchIsAnError) {
  SupervisedScriptHost host(options_);
  NcuProfiler profiler(host, contract_);
  ReplayProfiler replay(replay_, profiler, contract_);
  EXPECT_FALSE(replay.ProfilePlan(LaunchPlan(), std::nullopt).has_value());
}

}  // namespace
}  // namespace croq::backend
