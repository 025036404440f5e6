#include "croq/cli/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <nlohmann/json.hpp>

#include "croq/cli/doctor_checks.h"
#include "croq/cli/out_folder.h"
#include "croq/cli/output.h"

namespace croq::cli {
namespace {

constexpr const char* kNoToolkit = "not needed: cuBLAS, NVML and the driver are opened at run time";

void Append(DoctorLines& lines, DoctorLines more) {
  for (DoctorLine& line : more) lines.push_back(std::move(line));
}

DoctorLine PythonLine(const Result<Interpreter>& interpreter) {
  DoctorLine line{"python", "Python", {}, "", "", ErrorKind::kUsage};
  if (interpreter) {
    line.found = fmt::format("{} ({}, from {})", interpreter->python, interpreter->path.string(),
                             interpreter->origin);
    return line;
  }
  line.status = DoctorStatus::kFailed;
  line.kind = interpreter.error().kind;
  line.found = interpreter.error().message;
  if (const auto advice = line.found.rfind("; "); advice != std::string::npos) {
    line.remedy = line.found.substr(advice + 2);
    line.found.resize(advice);
  }
  return line;
}

/// Checks that start a process run beside one another: each waits for most of its time.
struct PythonChecks {
  std::future<Result<Interpreter>> interpreter;
  std::future<DoctorLine> validation;
  std::future<DoctorLines> tools;
  std::future<DoctorLine> worker;
};

PythonChecks Start(const PythonChoice& choice, const DoctorOptions& options) {
  PythonChecks checks;
  checks.interpreter = std::async(std::launch::async, [choice, &options] {
    return InspectPython(choice, options.layout, options.contract->environment);
  });
  checks.validation = std::async(std::launch::async,
                                 [choice, &options] { return CheckValidation(choice, options); });
  checks.tools =
      std::async(std::launch::async, [choice, &options] { return CheckTools(choice, options); });
  if (options.worker_handshake) {
    checks.worker =
        std::async(std::launch::async, [choice, &options] { return CheckWorker(choice, options); });
  }
  return checks;
}

/// Where the interpreter itself can't be used, what would follow from that is left out.
void Collect(PythonChecks& checks, const DoctorOptions& options, DoctorReport& report) {
  Result<Interpreter> interpreter = checks.interpreter.get();
  report.lines.push_back(PythonLine(interpreter));
  if (!interpreter)
    return;
  Append(report.lines, CheckPackages(*interpreter, options.contract->environment));
  if (report.device && report.device->cuda)
    Append(report.lines, CheckTorchCuda(*interpreter));
  report.interpreter = std::move(*interpreter);
  const bool installed = report.Works();
  report.lines.push_back(checks.validation.get());
  Append(report.lines, checks.tools.get());
  if (checks.worker.valid() && installed)
    report.lines.push_back(checks.worker.get());
}

/// A run without GPU does not ask for the driver's opinion: opening it takes its time.
Result<DeviceFindings> FindDevice(const DoctorOptions& options) {
  if (options.device.kind == DeviceArgument::Kind::kOffline && !options.optional_parts) {
    CROQ_ASSIGN(DeviceFindings findings, CheckDevice(options.device, protocol::RunnerHello{}));
    findings.lines.clear();
    return findings;
  }
  return CheckDevice(options.device, AskRunner(options.layout));
}

std::string Symbol(DoctorStatus status) {
  return status == DoctorStatus::kFailed ? "FAILED" : std::string(NameOf(status));
}

}  // namespace

std::string_view NameOf(DoctorStatus status) {
  switch (status) {
    case DoctorStatus::kOk:
      return "ok";
    case DoctorStatus::kWarning:
      return "warning";
    case DoctorStatus::kFailed:
      return "failed";
  }
  return "";
}

bool DoctorReport::Works() const {
  return std::ranges::none_of(
      lines, [](const DoctorLine& line) { return line.status == DoctorStatus::kFailed; });
}

Status DoctorReport::AsStatus() const {
  Error error{ErrorKind::kUsage, ""};
  for (const DoctorLine& line : lines) {
    if (line.status != DoctorStatus::kFailed)
      continue;
    if (line.kind == ErrorKind::kFatal)
      error.kind = ErrorKind::kFatal;
    if (!error.message.empty())
      error.message += '\n';
    error.message += fmt::format("{}: {}; {}", line.what, line.found, line.remedy);
  }
  if (error.message.empty())
    return {};
  return tl::unexpected(error);
}

Result<DoctorReport> RunDoctor(const DoctorOptions& options) {
  CROQ_TRY(CheckOut(options.out));
  DoctorReport report;
  const Result<PythonChoice> choice = LocatePython(options.layout, options.contract->environment);
  PythonChecks checks;
  if (choice)
    checks = Start(*choice, options);
  std::future<DoctorLines> profiler;
  if (options.optional_parts) {
    profiler = std::async(std::launch::async, [&options] { return CheckProfiler(options); });
  }
  CROQ_ASSIGN(DeviceFindings device, FindDevice(options));
  report.asked = options.device.text;
  report.device = device.device;
  if (choice) {
    Collect(checks, options, report);
  } else {
    report.lines.push_back(PythonLine(tl::unexpected(choice.error())));
  }
  Append(report.lines, std::move(device.lines));
  if (options.optional_parts) {
    report.lines.push_back({"toolkit", "CUDA toolkit", DoctorStatus::kOk, kNoToolkit, "", {}});
    Append(report.lines, profiler.get());
  }
  Append(report.lines, CheckMachine(options.out));
  if (options.optional_parts)
    Append(report.lines, CheckSandbox());
  return report;
}

std::string FormatReport(const DoctorReport& report) {
  TextTable table;
  for (const DoctorLine& line : report.lines) {
    table.AddRow({line.what, Symbol(line.status), line.found});
    if (!line.remedy.empty())
      table.AddRow({"", "", "-> " + line.remedy});
  }
  std::string text = table.Render();
  const std::string device = report.device ? report.device->argument : report.asked;
  const std::string reason = report.device && !report.device->reason.empty()
                                 ? fmt::format(" ({})", report.device->reason)
                                 : "";
  text += report.Works()
              ? fmt::format("\nTuning on {}{} works.\n", device, reason)
              : fmt::format("\nTuning on {}{} can't work: see FAILED above.\n", device, reason);
  return text;
}

void to_json(nlohmann::json& json, const DoctorReport& report) {
  json = {{"works", report.Works()}, {"device", nullptr}, {"checks", nlohmann::json::array()}};
  if (report.device) {
    const ResolvedDevice& device = *report.device;
    json["device"] = {{"device", device.argument},
                      {"gpu_key", device.gpu_key},
                      {"name", device.name},
                      {"compute_capability", device.compute_capability},
                      {"reason", device.reason}};
  }
  for (const DoctorLine& line : report.lines) {
    json["checks"].push_back({{"id", line.id},
                              {"what", line.what},
                              {"status", NameOf(line.status)},
                              {"found", line.found},
                              {"remedy", line.remedy}});
  }
}

}  // namespace croq::cli
