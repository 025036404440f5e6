#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "croq/cli/doctor_checks.h"
#include "croq/cli/hello_probe.h"
#include "croq/model/device.h"

namespace croq::cli {
namespace {

/// The runner's own kernels are PTX for compute_80.
constexpr int kOldestCapability = 80;
/// The driver's initialisation on a machine of many GPUs takes seconds.
constexpr std::chrono::seconds kHelloDeadline{30};

ResolvedDevice Offline(int compute_capability, std::string reason) {
  return {false,
          0,
          compute_capability,
          "",
          fmt::format("sm{}_offline", compute_capability),
          fmt::format("offline:sm{}", compute_capability),
          std::move(reason)};
}

ResolvedDevice Cuda(const protocol::RunnerDevice& device, std::string reason) {
  return {true,
          device.ordinal,
          device.compute_capability,
          device.name,
          MakeGpuKey(device.compute_capability, device.name),
          fmt::format("cuda:{}", device.ordinal),
          std::move(reason)};
}

/// `13.0` from 13000, as cuDriverGetVersion counts.
std::string DriverVersion(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

bool Usable(const protocol::RunnerDevice& device) {
  return device.compute_capability >= kOldestCapability;
}

DoctorLine GpuLine(const protocol::RunnerDevice& device, bool asked) {
  DoctorLine line{
      fmt::format("gpu.{}", device.ordinal),
      fmt::format("GPU {}", device.ordinal),
      {},
      fmt::format("{} ({})", device.name, MakeGpuKey(device.compute_capability, device.name)),
      "",
      ErrorKind::kUsage};
  if (!Usable(device)) {
    line.status = asked ? DoctorStatus::kFailed : DoctorStatus::kWarning;
    line.found += fmt::format(": too old, croq needs sm{} or newer", kOldestCapability);
    line.remedy = fmt::format("use another GPU, or --device {}", kDefaultOffline);
  }
  return line;
}

/// What is wrong, without the advice behind the last semicolon: the line has its own.
std::string WithoutAdvice(const std::string& message) {
  return message.substr(0, message.rfind("; "));
}

DoctorLine DriverLine(const DeviceArgument& argument, const Result<protocol::RunnerHello>& hello) {
  DoctorLine line{"driver", "GPU driver", {}, "", "", ErrorKind::kUsage};
  if (hello && hello->cuda) {
    line.found = "CUDA " + DriverVersion(hello->driver_version);
    return line;
  }
  line.found = WithoutAdvice(hello ? hello->problem : hello.error().message);
  // Without the runner's word nobody knows whether there is a GPU.
  if (!hello)
    line.remedy = "build or install croq again";
  if (argument.kind == DeviceArgument::Kind::kCuda) {
    line.status = DoctorStatus::kFailed;
    line.found = fmt::format("no GPU for --device {}: {}", argument.text, line.found);
    if (hello) {
      line.remedy = fmt::format("install the NVIDIA driver, or use --device {}", kDefaultOffline);
    }
  } else if (!hello) {
    line.status = DoctorStatus::kWarning;
  }
  return line;
}

/// Why `auto` found no GPU to take.
std::string WhyOffline(const Result<protocol::RunnerHello>& hello) {
  if (!hello)
    return "croq-runner could not be asked for GPUs";
  return hello->cuda && !hello->devices.empty() ? "no GPU here is new enough" : "no GPU here";
}

std::string ListDevices(const std::vector<protocol::RunnerDevice>& devices) {
  std::vector<std::string> names;
  for (const auto& device : devices) {
    names.push_back(fmt::format("cuda:{} {}", device.ordinal, device.name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Result<protocol::RunnerHello> AskRunner(const InstallLayout& layout) {
  if (::access(layout.runner.c_str(), X_OK) != 0) {
    return Failure(fmt::format("croq-runner is not at {}", layout.runner.string()));
  }
  const HelloProbe probe{{layout.runner.string(), "--read-fd", "3", "--write-fd", "4"},
                         process::CurrentEnvironment(),
                         layout.supervisor,
                         kHelloDeadline};
  const auto message = AskHello(probe);
  if (!message)
    return Wrap(message.error(), "croq-runner");
  CROQ_ASSIGN(protocol::RunnerHello hello, protocol::DecodeRunnerHello(*message));
  CROQ_TRY(protocol::CheckVersions("croq-runner", hello.protocol, hello.croq));
  return hello;
}

Result<DeviceFindings> CheckDevice(const DeviceArgument& argument,
                                   const Result<protocol::RunnerHello>& hello) {
  using Kind = DeviceArgument::Kind;
  const std::vector<protocol::RunnerDevice> devices =
      hello && hello->cuda ? hello->devices : std::vector<protocol::RunnerDevice>();
  const bool needed = argument.kind == Kind::kCuda;
  DeviceFindings findings;
  findings.lines.push_back(DriverLine(argument, hello));
  for (const auto& device : devices) {
    findings.lines.push_back(GpuLine(device, needed && device.ordinal == argument.ordinal));
  }
  if (argument.kind == Kind::kOffline) {
    findings.device = Offline(argument.compute_capability, "");
  } else if (argument.kind == Kind::kAuto) {
    const auto usable = std::ranges::find_if(devices, Usable);
    findings.device =
        usable == devices.end()
            ? Offline(90, WhyOffline(hello))
            : Cuda(*usable, devices.size() == 1 ? "the GPU here" : "the first GPU that fits");
  } else {
    const auto asked = std::ranges::find_if(
        devices, [&](const auto& device) { return device.ordinal == argument.ordinal; });
    if (asked != devices.end()) {
      findings.device = Cuda(*asked, "");
    } else if (!devices.empty()) {
      return UsageFailure(
          fmt::format("--device {}: there {} {} GPU{} here ({}); use one of these, auto or {}",
                      argument.text, devices.size() == 1 ? "is" : "are", devices.size(),
                      devices.size() == 1 ? "" : "s", ListDevices(devices), kDefaultOffline));
    }
  }
  return findings;
}

}  // namespace croq::cli
