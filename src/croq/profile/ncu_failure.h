#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace croq::profile {

/// Why a run of ncu gave no profile.
enum class NcuProblem {
  kNoProfiler,    ///< there is no ncu
  kNoPermission,  ///< this user may not read GPU counters
  kNoKernels,    ///< it profiled nothing: the filter did not match, or the program launched nothing
  kWrongKernel,  ///< it profiled another kernel
  kDriver,       ///< driver and ncu do not fit: one is too old for the other
  kUnsupported,  ///< this ncu does not know the GPU
  kSandbox,      ///< the driver's profiling library can't be loaded
  kBusy,         ///< another profiler holds the counters
  kLock,         ///< another user's lock file
  kApplication,  ///< the profiled program failed
  kTimeout,
  kOther,
};

/// `no_permission`, ...
std::string_view NameOf(NcuProblem problem);

/// What ncu's own words mean, the most telling first; nothing where none of them is known. `output`
/// is its stdout and stderr.
std::optional<NcuProblem> RecogniseNcuProblem(std::string_view output);

/// What happened and what to do, as one sentence. `detail` is ncu's own line, the name of a kernel,
/// or a time, as fits the problem; may be empty.
std::string Explain(NcuProblem problem, std::string_view detail);

/// The line of ncu's output that says most: the one that RecogniseNcuProblem knows, else the last
/// ==ERROR==, else the last ==WARNING==, else the last line.
std::string TellingLine(std::string_view output);

}  // namespace croq::profile
