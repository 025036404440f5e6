#include "croq/profile/ncu_failure.h"

#include <fmt/format.h>

#include <array>

namespace croq::profile {
namespace {

struct Text {
  std::string_view part;
  NcuProblem problem;
};

/// In order: what names a cause stands before what follows from it. ncu that may not read counters
/// also says that no kernels were profiled.
constexpr std::array<Text, 20> kTexts{{
    {"ERR_NVGPUCTRPERM", NcuProblem::kNoPermission},
    {"does not have permission to access NVIDIA GPU Performance Counters",
     NcuProblem::kNoPermission},
    {"Cuda driver is not compatible with Nsight Compute", NcuProblem::kDriver},
    {"driver is not compatible", NcuProblem::kDriver},
    {"unrecognised option", NcuProblem::kDriver},
    {"unrecognized option", NcuProblem::kDriver},
    {"Profiling is not supported on", NcuProblem::kUnsupported},
    {"is not supported on this device", NcuProblem::kUnsupported},
    {"driver resource was unavailable", NcuProblem::kBusy},
    {"DriverResourceUnavailable", NcuProblem::kBusy},
    {"another profiler", NcuProblem::kBusy},
    {"LibraryNotLoaded", NcuProblem::kSandbox},
    {"Failed to initialize the profiler", NcuProblem::kSandbox},
    {"nsight-compute-lock", NcuProblem::kLock},
    {"InterprocessLockFailed", NcuProblem::kLock},
    {"ncu: command not found", NcuProblem::kNoProfiler},
    {"ncu: not found", NcuProblem::kNoProfiler},
    {"The application returned an error code", NcuProblem::kApplication},
    {"No kernels were profiled", NcuProblem::kNoKernels},
    {"No ranges were profiled", NcuProblem::kNoKernels},
}};

const Text* FindText(std::string_view output) {
  for (const Text& text : kTexts) {
    if (output.find(text.part) != std::string_view::npos)
      return &text;
  }
  return nullptr;
}

/// `{}` stands for the detail, with its own brackets.
std::string_view Sentence(NcuProblem problem) {
  switch (problem) {
    case NcuProblem::kNoProfiler:
      return "there is no ncu on PATH{}; install NVIDIA Nsight Compute, or go on without counters: "
             "profiles are then static";
    case NcuProblem::kNoPermission:
      return "this user may not read GPU counters{}; run as root or with CAP_SYS_ADMIN (docker run "
             "--cap-add=SYS_ADMIN), or load the driver with NVreg_RestrictProfilingToAdminUsers=0";
    case NcuProblem::kNoKernels:
      return "ncu profiled no kernel{}; no launch fits --kernel-name, or the program ended before "
             "its fourth launch: run its run script alone, and compare the kernels' names";
    case NcuProblem::kWrongKernel:
      return "ncu profiled another kernel{}; the script no longer launches the one that its source "
             "says: croq outline lists a file's launches";
    case NcuProblem::kDriver:
      return "the driver and this ncu do not fit{}; use the ncu of the driver's CUDA release, or a "
             "newer driver";
    case NcuProblem::kUnsupported:
      return "this ncu does not know the GPU{}; `ncu --list-chips` says which it knows, a newer one "
             "knows more";
    case NcuProblem::kSandbox:
      return "ncu can't load the driver's profiling library{}; sandboxed GPUs (gVisor) have none: "
             "profile outside the sandbox";
    case NcuProblem::kBusy:
      return "another profiler holds the GPU's counters{}; stop it (DCGM: dcgmi profiling --pause)";
    case NcuProblem::kLock:
      return "another user's lock file is in the way{}; set TMPDIR to a folder of your own";
    case NcuProblem::kApplication:
      return "the profiled program failed{}; run its run script alone to see why";
    case NcuProblem::kTimeout:
      return "ncu did not end in time{}; it was killed with all that it started";
    case NcuProblem::kOther:
      break;
  }
  return "ncu failed{}";
}

}  // namespace

std::string_view NameOf(NcuProblem problem) {
  switch (problem) {
    case NcuProblem::kNoProfiler:
      return "no_profiler";
    case NcuProblem::kNoPermission:
      return "no_permission";
    case NcuProblem::kNoKernels:
      return "no_kernels";
    case NcuProblem::kWrongKernel:
      return "wrong_kernel";
    case NcuProblem::kDriver:
      return "driver";
    case NcuProblem::kUnsupported:
      return "unsupported_gpu";
    case NcuProblem::kSandbox:
      return "sandbox";
    case NcuProblem::kBusy:
      return "busy";
    case NcuProblem::kLock:
      return "lock";
    case NcuProblem::kApplication:
      return "application";
    case NcuProblem::kTimeout:
      return "timeout";
    case NcuProblem::kOther:
      break;
  }
  return "other";
}

std::optional<NcuProblem> RecogniseNcuProblem(std::string_view output) {
  const Text* text = FindText(output);
  return text == nullptr ? std::nullopt : std::optional(text->problem);
}

std::string Explain(NcuProblem problem, std::string_view detail) {
  std::string sentence(Sentence(problem));
  const std::size_t at = sentence.find("{}");
  sentence.replace(at, 2, detail.empty() ? "" : fmt::format(" ({})", detail));
  return sentence;
}

std::string TellingLine(std::string_view output) {
  constexpr std::size_t kLongest = 320;
  const Text* known = FindText(output);
  std::string_view error;
  std::string_view warning;
  std::string_view last;
  while (!output.empty()) {
    std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(output.size(), line.size() + 1));
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    if (known != nullptr && line.find(known->part) != std::string_view::npos)
      return std::string(line.substr(0, kLongest));
    if (line.starts_with("==ERROR=="))
      error = line;
    else if (line.starts_with("==WARNING=="))
      warning = line;
    if (line.find_first_not_of(" \t") != std::string_view::npos)
      last = line;
  }
  const std::string_view telling = !error.empty() ? error : !warning.empty() ? warning : last;
  return std::string(telling.substr(0, kLongest));
}

}  // namespace croq::profile
