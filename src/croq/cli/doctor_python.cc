#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "croq/cli/doctor_checks.h"
#include "croq/cli/hello_probe.h"
#include "croq/cli/package_folder.h"
#include "croq/cli/package_version.h"
#include "croq/contract/scripts.h"
#include "croq/process/run.h"

namespace croq::cli {
namespace {

constexpr std::chrono::seconds kDeadline{60};

/// The contract's remedies call its interpreter by name; a person must call the chosen one.
std::string RemedyFor(const std::string& remedy, const std::filesystem::path& python,
                      const contract::Environment& environment) {
  const std::string call = environment.interpreter + " ";
  if (!remedy.starts_with(call))
    return remedy;
  return "run: " + python.string() + remedy.substr(call.size() - 1);
}

Result<process::RunResult> Run(std::vector<std::string> argv, const InstallLayout& layout) {
  process::RunOptions options;
  options.argv = std::move(argv);
  options.environment = WorkerEnvironment(layout);
  options.deadline = kDeadline;
  options.supervisor = layout.supervisor;
  return process::RunToCompletion(options);
}

DoctorLine Failed(DoctorLine line, std::string found, std::string remedy) {
  line.status = DoctorStatus::kFailed;
  line.found = std::move(found);
  line.remedy = std::move(remedy);
  return line;
}

std::string HowItEnded(const process::RunResult& ran) {
  const std::string last = process::LastLine(ran.output);
  return last.empty() ? ran.Text() : fmt::format("{}: {}", ran.Text(), last);
}

/// The line of a program's version text that says the most: the one with `release`, else the last.
std::string VersionLine(const std::string& output) {
  const std::size_t at = output.find("release");
  if (at == std::string::npos)
    return process::LastLine(output);
  const std::size_t start = output.rfind('\n', at) + 1;  // npos + 1: the first line
  return output.substr(start, output.find('\n', at) - start);
}

DoctorLine CheckTool(const contract::Tool& tool, const PythonChoice& choice,
                     const DoctorOptions& options) {
  DoctorLine line{"tool." + tool.name, tool.name, {}, "", "", ErrorKind::kUsage};
  const std::string remedy = RemedyFor(tool.remedy, choice.path, options.contract->environment);
  const char* named =
      tool.override_variable.empty() ? nullptr : std::getenv(tool.override_variable.c_str());
  std::string path = named == nullptr ? "" : named;
  if (path.empty()) {
    const auto folder = PackageFolder(choice, tool.package, options.layout);
    if (!folder)
      return Failed(line, folder.error().message, remedy);
    if (folder->empty()) {
      return Failed(line, fmt::format("comes with {}, which is not installed", tool.package),
                    remedy);
    }
    path = *folder + "/" + tool.path;
  }
  const auto ran = Run({path, tool.version_argument}, options.layout);
  if (!ran)
    return Failed(line, fmt::format("{}: {}", path, ran.error().message), remedy);
  if (!ran->Succeeded()) {
    return Failed(line, fmt::format("{}: {}", path, HowItEnded(*ran)),
                  named == nullptr ? remedy : "unset " + tool.override_variable + ", or mend it");
  }
  line.found = fmt::format("{}{}", VersionLine(ran->output),
                           named == nullptr ? "" : fmt::format(" ({})", tool.override_variable));
  return line;
}

}  // namespace

DoctorLines CheckPackages(const Interpreter& interpreter,
                          const contract::Environment& environment) {
  DoctorLines lines;
  for (const contract::Package& package : environment.packages) {
    const PackageVerdict verdict = JudgePackage(package, interpreter.VersionOf(package.name));
    DoctorLine line{"package." + package.name, package.name, {}, verdict.found, "", {}};
    line.remedy = RemedyFor(verdict.remedy, interpreter.path, environment);
    const bool unusable = verdict.kind == PackageVerdict::Kind::kMissing ||
                          verdict.kind == PackageVerdict::Kind::kTooOld;
    if (unusable) {
      line.status = package.required ? DoctorStatus::kFailed : DoctorStatus::kWarning;
    } else if (verdict.kind == PackageVerdict::Kind::kUntested) {
      line.status = DoctorStatus::kWarning;
    }
    lines.push_back(std::move(line));
  }
  for (const contract::Conflict& conflict : environment.conflicts) {
    const std::string version = interpreter.VersionOf(conflict.package);
    const std::string with = interpreter.VersionOf(conflict.with);
    if (!Conflicts(conflict, version, with))
      continue;
    lines.push_back({"conflict." + conflict.package,
                     conflict.package + " with " + conflict.with,
                     DoctorStatus::kWarning,
                     fmt::format("{} {} with {} {}: {}", conflict.package, version, conflict.with,
                                 with, conflict.effect),
                     RemedyFor(conflict.remedy, interpreter.path, environment),
                     {}});
  }
  return lines;
}

DoctorLines CheckTorchCuda(const Interpreter& interpreter) {
  DoctorLines lines;
  DoctorLine torch{"torch.cuda", "torch on GPU", {}, "", "", {}};
  if (interpreter.cuda.empty()) {
    lines.push_back(Failed(torch, "this torch is a CPU build: iter000 and the scripts can't run",
                           "set CROQ_PYTHON to a python3 whose torch has CUDA, or use --device " +
                               std::string(kDefaultOffline)));
    return lines;
  }
  torch.found = "built for CUDA " + interpreter.cuda;
  lines.push_back(torch);
  DoctorLine cublas{"torch.cublas", "cuBLAS", {}, interpreter.cublas, "", {}};
  if (interpreter.cublas.empty()) {
    cublas.status = DoctorStatus::kWarning;
    cublas.found = "not found beside torch: no baseline in the runner, so no share of cuBLAS";
    cublas.remedy = "install torch from its CUDA wheels, which bring cuBLAS";
  }
  lines.push_back(cublas);
  return lines;
}

DoctorLine CheckValidation(const PythonChoice& choice, const DoctorOptions& options) {
  const contract::Environment& environment = options.contract->environment;
  DoctorLine line{"validation", "contract's check", {}, "", "", ErrorKind::kUsage};
  // A function stands in for the interpreter, so that nothing needs to be written.
  const std::string command =
      fmt::format("{}() {{ {} \"$@\"; }}\n{}", environment.interpreter,
                  contract::ShellQuote(choice.path.string()), environment.validate);
  const auto ran = Run({"/bin/sh", "-c", command}, options.layout);
  if (!ran)
    return Failed(line, ran.error().message, "install a POSIX shell at /bin/sh");
  if (!ran->Succeeded()) {
    const contract::Package& first = environment.packages.front();
    return Failed(line, fmt::format("`{}` {}", environment.validate, HowItEnded(*ran)),
                  RemedyFor(first.remedy, choice.path, environment));
  }
  line.found = fmt::format("`{}` printed {}", environment.validate, process::LastLine(ran->output));
  return line;
}

DoctorLines CheckTools(const PythonChoice& choice, const DoctorOptions& options) {
  DoctorLines lines;
  for (const contract::Tool& tool : options.contract->environment.tools) {
    lines.push_back(CheckTool(tool, choice, options));
  }
  return lines;
}

DoctorLine CheckWorker(const PythonChoice& choice, const DoctorOptions& options) {
  DoctorLine line{"worker", "compile worker", {}, "", "", ErrorKind::kFatal};
  const HelloProbe probe{
      {choice.path.string(), "-m", "croq_worker", "compile", "--read-fd", "3", "--write-fd", "4"},
      WorkerEnvironment(options.layout),
      options.layout.supervisor,
      kDeadline};
  const std::string remedy =
      "see the lines above; a worker of another version means that croq is "
      "not installed whole: install it again";
  const auto message = AskHello(probe);
  if (!message)
    return Failed(line, message.error().message, remedy);
  const auto hello = protocol::DecodeWorkerHello(*message);
  if (!hello)
    return Failed(line, hello.error().message, remedy);
  const Status versions = protocol::CheckVersions("the worker", hello->protocol, hello->croq);
  if (!versions)
    return Failed(line, versions.error().message, remedy);
  line.found = fmt::format("croq {}, Python {}, Triton {}", hello->croq, hello->python,
                           hello->triton.value_or("none"));
  return line;
}

}  // namespace croq::cli
