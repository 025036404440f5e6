#include "croq/cli/sass_reader.h"

#include <fmt/format.h>

#include "croq/cli/interpreter.h"
#include "croq/cli/package_folder.h"
#include "croq/process/run.h"

namespace croq::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kDisassemblyDeadline{30};
constexpr std::size_t kMostBytes = 64u << 20;  // a large kernel's text is about 1 MiB

}  // namespace

Result<SassReader> SassReader::Find(const InstallLayout& layout,
                                    const contract::Contract& contract) {
  const Result<PythonChoice> python = LocatePython(layout, contract.environment);
  if (python) {
    const Result<std::string> folder = PackageFolder(*python, "triton", layout);
    const fs::path program = fs::path(folder.value_or("")) / "backends/nvidia/bin/nvdisasm";
    std::error_code ignored;
    if (folder && !folder->empty() && fs::exists(program, ignored))
      return SassReader(program, layout);
  }
  const fs::path program = FindOnPath("nvdisasm");
  if (program.empty())
    return UsageFailure("no nvdisasm: install Triton for croq's Python, or put CUDA's on PATH");
  return SassReader(program, layout);
}

Result<profile::SassMix> SassReader::Read(const fs::path& cubin) const {
  process::RunOptions options;
  options.argv = {program_.string(), "--print-code", cubin.string()};
  options.environment = WorkerEnvironment(layout_);
  options.deadline = kDisassemblyDeadline;
  options.supervisor = layout_.supervisor;
  options.head_bytes = kMostBytes;
  CROQ_ASSIGN(const process::RunResult ran, process::RunToCompletion(options));
  if (!ran.Succeeded()) {
    return Failure(fmt::format("nvdisasm {} on {}: {}", ran.Text(), cubin.string(),
                               process::LastLine(ran.output)));
  }
  profile::SassMix mix = profile::CountSass(ran.output);
  if (mix.total == 0) return Failure(fmt::format("nvdisasm found no code in {}", cubin.string()));
  return mix;
}

}  // namespace croq::cli
