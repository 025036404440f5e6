#include "croq/cli/interpreter.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "croq/base/files.h"
#include "croq/cli/package_version.h"
#include "croq/contract/scripts.h"
#include "croq/process/run.h"

namespace croq::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kVariable = "CROQ_PYTHON";
constexpr std::chrono::seconds kProbeDeadline{60};

bool IsProgram(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code) && ::access(path.c_str(), X_OK) == 0;
}

Result<process::RunResult> Run(const fs::path& python, std::vector<std::string> arguments,
                               const InstallLayout& layout) {
  process::RunOptions options;
  options.argv = {python.string()};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  options.environment = WorkerEnvironment(layout);
  options.deadline = kProbeDeadline;
  options.supervisor = layout.supervisor;
  return process::RunToCompletion(options);
}

std::string Who(const PythonChoice& choice) {
  return choice.origin == kVariable ? fmt::format("{}={}", kVariable, choice.path.string())
                                    : choice.path.string();
}

/// Why `python -m croq_worker versions` did not answer.
Error Diagnose(const PythonChoice& choice, const InstallLayout& layout,
               const process::RunResult& failed) {
  const auto probe =
      Run(choice.path, {"-c", "import sys; print('python', *sys.version_info[:2])"}, layout);
  if (!probe)
    return probe.error();
  const bool python = probe->Succeeded() && probe->output.starts_with("python ");
  if (!python) {
    return {ErrorKind::kUsage,
            fmt::format("{} is not a Python interpreter ({}); set {} to a python3 that has Triton",
                        Who(choice), probe->Text(), kVariable)};
  }
  return {ErrorKind::kUsage,
          fmt::format("{} can't run croq's worker: {}: {}; set {} to another python3", Who(choice),
                      failed.Text(), process::LastLine(failed.output), kVariable)};
}

Result<Interpreter> ReadVersions(const PythonChoice& choice, const nlohmann::json& report) {
  Interpreter interpreter{choice.path, choice.origin, "", {}, "", "", ""};
  const auto take = [](const nlohmann::json& value) {
    return value.is_string() ? value.get<std::string>() : std::string();
  };
  for (const auto& [key, value] : report.items()) {
    if (key == "python") {
      interpreter.python = take(value);
    } else if (key == "cuda") {
      interpreter.cuda = take(value);
    } else if (key == "cublas") {
      interpreter.cublas = take(value);
    } else if (key == "cublas_lt") {
      interpreter.cublas_lt = take(value);
    } else if (key != "type" && value.is_string()) {
      interpreter.packages[key] = take(value);
    }
  }
  return interpreter;
}

}  // namespace

std::string Interpreter::VersionOf(std::string_view package) const {
  const auto found = packages.find(std::string(package));
  return found == packages.end() ? "" : found->second;
}

fs::path FindOnPath(std::string_view name) {
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable == nullptr ? "" : variable;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path program = fs::path(rest.substr(0, end)) / name;
    if (IsProgram(program))
      return fs::absolute(program);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

Result<PythonChoice> LocatePython(const InstallLayout& layout,
                                  const contract::Environment& environment) {
  const char* named = std::getenv(kVariable);
  if (named != nullptr && named[0] != '\0') {
    const bool is_path = std::string_view(named).find('/') != std::string_view::npos;
    const fs::path path = is_path ? fs::absolute(named) : FindOnPath(named);
    if (IsProgram(path))
      return PythonChoice{path, kVariable};
    return UsageFailure(fmt::format(
        "{}={}: there is no such program; set it to a python3 that has Triton, or unset it",
        kVariable, named));
  }
  if (!layout.environment.empty()) {
    const fs::path path = layout.environment / "bin" / "python";
    if (IsProgram(path))
      return PythonChoice{path, ".venv"};
  }
  const fs::path path = FindOnPath(environment.interpreter);
  if (!path.empty())
    return PythonChoice{path, "PATH"};
  return UsageFailure(
      fmt::format("there is no {} on PATH; install Python {} or newer with Triton, or "
                  "set {} to one",
                  environment.interpreter, environment.oldest_interpreter, kVariable));
}

Result<Interpreter> InspectPython(const PythonChoice& choice, const InstallLayout& layout,
                                  const contract::Environment& environment) {
  CROQ_ASSIGN(const process::RunResult ran,
              Run(choice.path, {"-m", "croq_worker", "versions"}, layout));
  // Warnings of the interpreter may come before the line of JSON.
  const nlohmann::json report =
      nlohmann::json::parse(process::LastLine(ran.output, 65536), nullptr, false);
  if (!ran.Succeeded() || !report.is_object() || report.value("type", "") != "versions") {
    return tl::unexpected(Diagnose(choice, layout, ran));
  }
  CROQ_ASSIGN(Interpreter interpreter, ReadVersions(choice, report));
  if (CompareVersions(interpreter.python, environment.oldest_interpreter) < 0) {
    return UsageFailure(
        fmt::format("{} is Python {}, too old: croq needs {} or newer; set {} to one", Who(choice),
                    interpreter.python, environment.oldest_interpreter, kVariable));
  }
  return interpreter;
}

process::Environment WorkerEnvironment(const InstallLayout& layout) {
  process::Environment environment = process::CurrentEnvironment();
  std::string& path = environment["PYTHONPATH"];
  path = path.empty() ? layout.python.string() : layout.python.string() + ":" + path;
  return environment;
}

Result<fs::path> PythonFolder(const fs::path& python, const std::string& name,
                              const fs::path& shim) {
  std::error_code code;
  const fs::path own = python.parent_path() / name;
  if (python.filename() == name || fs::equivalent(own, python, code))
    return python.parent_path();
  CROQ_TRY(MakeDirectories(shim));
  CROQ_TRY(WriteFileAtomic(
      shim / name,
      fmt::format("#!/bin/sh\nexec {} \"$@\"\n", contract::ShellQuote(python.string())), true));
  return shim;
}

}  // namespace croq::cli
