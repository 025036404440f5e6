#include <gmock/gmock.h>

#include <algorithm>

#include "croq/cli/doctor_checks.h"

namespace croq::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

DeviceArgument Asked(const char* text) {
  return ParseDevice(text).value();
}

protocol::RunnerHello WithGpus(std::vector<protocol::RunnerDevice> devices) {
  protocol::RunnerHello hello;
  hello.cuda = true;
  hello.driver_version = 13000;
  hello.devices = std::move(devices);
  return hello;
}

Result<protocol::RunnerHello> NoCuda() {
  protocol::RunnerHello hello;
  hello.problem = "libcuda.so.1 is not there";
  return hello;
}

const protocol::RunnerDevice kH200{0, "NVIDIA H200", 90};
const protocol::RunnerDevice kV100{0, "Tesla V100", 70};

DoctorStatus Worst(const DeviceFindings& findings) {
  DoctorStatus worst = DoctorStatus::kOk;
  for (const DoctorLine& line : findings.lines) worst = std::max(worst, line.status);
  return worst;
}

TEST(CheckDevice, AutoTakesTheGpu) {
  const auto findings = CheckDevice(Asked("auto"), WithGpus({kH200})).value();
  ASSERT_TRUE(findings.device.has_value());
  EXPECT_TRUE(findings.device->cuda);
  EXPECT_EQ(findings.device->gpu_key, "sm90_NVIDIA_H200");
  EXPECT_EQ(findings.device->argument, "cuda:0");
  EXPECT_EQ(findings.lines.front().found, "CUDA 13.0");
  EXPECT_EQ(Worst(findings), DoctorStatus::kOk);
}

TEST(CheckDevice, AutoGoesOfflineWithoutAGpuAndSaysWhy) {
  const auto findings = CheckDevice(Asked("auto"), NoCuda()).value();
  ASSERT_TRUE(findings.device.has_value());
  EXPECT_FALSE(findings.device->cuda);
  EXPECT_EQ(findings.device->gpu_key, "sm90_offline");
  EXPECT_EQ(findings.device->reason, "no GPU here");
  EXPECT_EQ(findings.lines.front().found, "libcuda.so.1 is not there");
  EXPECT_EQ(Worst(findings), DoctorStatus::kOk);
}

TEST(CheckDevice, AutoPassesOverAnOldGpu) {
  protocol::RunnerDevice second = kH200;
  second.ordinal = 1;
  const auto findings = CheckDevice(Asked("auto"), WithGpus({kV100, second})).value();
  EXPECT_EQ(findings.device->argument, "cuda:1");
  EXPECT_EQ(Worst(findings), DoctorStatus::kWarning);
  EXPECT_FALSE(CheckDevice(Asked("auto"), WithGpus({kV100})).value().device->cuda);
}

TEST(CheckDevice, OldGpuThatWasAskedForFails) {
  const auto findings = CheckDevice(Asked("cuda:0"), WithGpus({kV100})).value();
  EXPECT_EQ(Worst(findings), DoctorStatus::kFailed);
}

TEST(CheckDevice, NumberBeyondTheGpusThereAreIsAUsageError) {
  const auto findings = CheckDevice(Asked("cuda:3"), WithGpus({kH200}));
  ASSERT_FALSE(findings.has_value());
  EXPECT_EQ(findings.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(findings.error().message, AllOf(HasSubstr("there is 1 GPU here (cuda:0 NVIDIA H200)"),
                                              HasSubstr("cuda:3"), HasSubstr("offline:sm90")));
}

TEST(CheckDevice, GpuAskedForWhereThereIsNoneFails) {
  const auto findings = CheckDevice(Asked("cuda:0"), NoCuda()).value();
  EXPECT_FALSE(findings.device.has_value());
  EXPECT_EQ(Worst(findings), DoctorStatus::kFailed);
  EXPECT_FALSE(findings.lines.front().remedy.empty());
}

TEST(CheckDevice, AutoSaysWhereItCouldNotAsk) {
  const Error error{ErrorKind::kFatal, "croq-runner: it was killed by SIGSEGV (11); do this"};
  const auto findings = CheckDevice(Asked("auto"), tl::unexpected(error)).value();
  EXPECT_EQ(findings.device->reason, "croq-runner could not be asked for GPUs");
  EXPECT_EQ(Worst(findings), DoctorStatus::kWarning);
  EXPECT_EQ(findings.lines.front().found, "croq-runner: it was killed by SIGSEGV (11)");
}

TEST(CheckDevice, OfflineNeedsNoRunner) {
  const auto findings =
      CheckDevice(Asked("offline:sm90"), tl::unexpected(Error{ErrorKind::kFatal, "no runner"}))
          .value();
  EXPECT_EQ(findings.device->argument, "offline:sm90");
  EXPECT_NE(Worst(findings), DoctorStatus::kFailed);
}

TEST(CountersReadable, GoesByTheDriversParameterAndTheCapability) {
  const std::string open = "Foo: 1\nRmProfilingAdminOnly: 0\nBar: 1\n";
  const std::string closed = "Foo: 0\nRmProfilingAdminOnly: 1\nBar: 0\n";
  EXPECT_TRUE(CountersReadable(open, false));
  EXPECT_FALSE(CountersReadable(closed, false));
  EXPECT_TRUE(CountersReadable(closed, true));
  EXPECT_FALSE(CountersReadable("Foo: 0\n", false));
  EXPECT_FALSE(CountersReadable(std::nullopt, false));
}

}  // namespace
}  // namespace croq::cli
