#include "croq/cli/tune_setup.h"

#include <fmt/format.h>

#include <thread>

#include "croq/cli/doctor_checks.h"
#include "croq/cli/output.h"
#include "croq/process/siblings.h"

namespace croq::cli {
namespace {

// The reference of one input set: f64 of A B and f32 of |A| |B|.
constexpr double kReferenceBytesPerElement = 12;
// Fewer could not be rotated.
constexpr double kLeastInputSets = 2;

double NeededBytes(const ShapeKey& shape) {
  return kLeastInputSets * shape.CompulsoryBytes() +
         kReferenceBytesPerElement * static_cast<double>(shape.m) * static_cast<double>(shape.n);
}

Status CheckMemory(const ShapeKey& shape, const DeviceFacts& device) {
  const double needed = NeededBytes(shape);
  const double there = static_cast<double>(device.memory_bytes);
  if (needed <= there) return {};
  return UsageFailure(fmt::format(
      "shape key '{}': it needs {} of device memory (two sets of operands and a reference) and {} "
      "has {}; choose smaller dimensions",
      shape.text, FormatBytes(needed), device.name, FormatBytes(there)));
}

Status OpenDevice(TuneSetup& setup) {
  if (!setup.resolved.cuda) {
    CROQ_ASSIGN(setup.device, OfflineDevice(setup.resolved.compute_capability));
    return {};
  }
  backend::RunnerOptions options;
  options.runner = setup.layout.runner;
  options.supervisor = setup.layout.supervisor;
  options.ordinal = setup.resolved.ordinal;
  CROQ_ASSIGN(setup.runner, backend::RunnerClient::Start(options));
  setup.device = setup.runner->Device();
  return {};
}

}  // namespace

Result<TuneSetup> PrepareTune(const TuneArguments& arguments) {
  TuneSetup setup;
  setup.arguments = arguments;
  CROQ_ASSIGN(setup.request, CheckTuneArguments(arguments));
  CROQ_ASSIGN(setup.layout, FindInstallLayout());
  CROQ_ASSIGN(setup.contract, contract::FindContract(setup.layout.contracts, arguments.dsl));
  DoctorOptions doctor;
  doctor.layout = setup.layout;
  doctor.contract = &setup.contract;
  doctor.device = setup.request.device;
  doctor.out = arguments.out;
  doctor.worker_handshake = false;
  doctor.optional_parts = false;
  CROQ_ASSIGN(DoctorReport report, RunDoctor(doctor));
  CROQ_TRY(report.AsStatus());
  setup.interpreter = std::move(*report.interpreter);
  setup.profiler = FindProfiler(setup.contract.profile.tool);
  setup.resolved = std::move(*report.device);
  CROQ_TRY(OpenDevice(setup));
  for (const ShapeKey& shape : setup.request.shapes) CROQ_TRY(CheckMemory(shape, setup.device));
  setup.workers = setup.request.workers > 0
                      ? setup.request.workers
                      : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return setup;
}

}  // namespace croq::cli
