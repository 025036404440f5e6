#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/cli/doctor.h"
#include "croq/protocol/hello.h"

/// The groups of checks that doctor.cc puts together. Each is free of the others and may run on a
/// thread of its own.
namespace croq::cli {

using DoctorLines = std::vector<DoctorLine>;

// doctor_python.cc
/// Packages, conflicts between them, and whether torch can use the device.
DoctorLines CheckPackages(const Interpreter& interpreter, const contract::Environment& environment);
DoctorLines CheckTorchCuda(const Interpreter& interpreter);
/// The contract's own validation command, with the chosen interpreter.
DoctorLine CheckValidation(const PythonChoice& choice, const DoctorOptions& options);
/// Programs that packages bring along (ptxas), run for their versions.
DoctorLines CheckTools(const PythonChoice& choice, const DoctorOptions& options);
/// Starts a compile worker and reads its hello.
DoctorLine CheckWorker(const PythonChoice& choice, const DoctorOptions& options);

// doctor_device.cc
/// What croq-runner says of driver and GPUs; an error says why it could not be asked.
Result<protocol::RunnerHello> AskRunner(const InstallLayout& layout);
struct DeviceFindings {
  DoctorLines lines;
  std::optional<ResolvedDevice> device;
};
/// Usage error for a GPU number beyond those there are, where there are any.
Result<DeviceFindings> CheckDevice(const DeviceArgument& argument,
                                   const Result<protocol::RunnerHello>& hello);

// doctor_profiler.cc
/// On PATH, else in the CUDA toolkit's folder, else the newest release in NVIDIA's own; empty where
/// there is none.
std::filesystem::path FindProfiler(const std::string& tool);
DoctorLines CheckProfiler(const DoctorOptions& options);
/// Whether this process may read GPU counters. `params` is the text of the driver's parameter
/// file; nothing where there is none (no driver).
bool CountersReadable(const std::optional<std::string>& params, bool sys_admin);

// doctor_machine.cc
DoctorLines CheckMachine(const std::filesystem::path& out);
DoctorLines CheckSandbox();

}  // namespace croq::cli
