#include "croq/backend/build_outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <system_error>

#include "croq/backend/cubin_info.h"
#include "croq/base/files.h"
#include "croq/base/hash.h"

namespace croq::backend {
namespace {

constexpr const char* kNotSpecialised =
    "not warp-specialised: Triton built it without ttg.warp_specialize, so it is another "
    "configuration's kernel";

tl::unexpected<Error> DiskFull(const PoolFolders& folders) {
  return Failure(fmt::format("the disk that holds {} is full: free some space, then run again",
                             folders.cubins.parent_path().string()));
}

/// Keeps what was printed; empty path where nothing was.
Result<std::string> SaveLog(const PoolFolders& folders, std::int64_t ticket,
                            const std::string& text) {
  if (text.empty())
    return std::string();
  const std::filesystem::path path =
      folders.logs / fmt::format("{}-{}.txt", folders.log_prefix, ticket);
  CROQ_TRY(WriteFileAtomic(path, text));
  return path.string();
}

/// The reason with the compiler's first diagnostics behind it, where it does not hold them already:
/// MLIR prints them and throws a bare "PassManager::run failed".
std::string WithDiagnostics(std::string reason, const std::string& output) {
  constexpr int kMost = 3;
  constexpr std::size_t kLongest = 400;
  std::istringstream lines(output);
  int added = 0;
  for (std::string line; added < kMost && std::getline(lines, line);) {
    const bool told = line.find(" error: ") != std::string::npos || line.rfind("error: ", 0) == 0;
    line.resize(std::min(line.size(), kLongest));
    if (!told || reason.find(line) != std::string::npos)
      continue;
    reason += "; " + line;
    ++added;
  }
  return reason;
}

/// Fills in what the cubin says. Error: it can't be read, and then the kernel can't be used.
Status Describe(const std::filesystem::path& out, CompiledKernel& kernel) {
  if (std::filesystem::path(kernel.cubin_path).parent_path() != out) {
    return Failure(fmt::format("the compile worker put the cubin in {} and not in {}",
                               kernel.cubin_path, out.string()));
  }
  CROQ_ASSIGN(const std::string cubin, ReadFile(kernel.cubin_path));
  CROQ_ASSIGN(const CubinInfo info, ReadCubinInfo(cubin, kernel.entry));
  kernel.registers = info.registers;
  kernel.local_bytes = info.LocalBytes();
  kernel.cubin_fingerprint = Fingerprint(cubin);
  return {};
}

Status Adopt(const PoolFolders& folders, CompiledKernel& kernel) {
  const std::filesystem::path target = folders.cubins / (kernel.cubin_fingerprint + ".cubin");
  std::error_code code;
  std::filesystem::rename(kernel.cubin_path, target, code);
  if (code) {
    return Failure(fmt::format("cannot move {} to {}: {}", kernel.cubin_path, target.string(),
                               code.message()));
  }
  kernel.cubin_path = target.string();
  return {};
}

}  // namespace

bool IsDiskFull(const std::string& message) {
  return message.find("No space left on device") != std::string::npos;
}

Result<tune::BuildResult> FinishReply(const PoolFolders& folders, PoolEvent event) {
  PoolJob& job = *event.job;
  protocol::CompileReply& reply = event.reply;
  std::string reason = reply.error.empty() ? reply.message : reply.error + ": " + reply.message;
  tune::BuildResult result;
  const Status described = reply.ok ? Describe(event.out, reply.kernel) : Status();
  if (reply.ok && job.job.warp_specialize && !reply.warp_specialized) {
    CROQ_ASSIGN(result, FinishFailed(folders, job, Outcome::kConstraints, kNotSpecialised));
  } else if (reply.ok && described) {
    CROQ_TRY(Adopt(folders, reply.kernel));
    result.ticket = job.ticket;
    result.kernel = std::move(reply.kernel);
  } else {
    if (!described)
      reason = described.error().message;
    job.log += event.output;
    if (reply.retire)
      reason = WithDiagnostics(std::move(reason), event.output);
    const Outcome outcome = reply.ok ? Outcome::kCompile : reply.outcome;
    CROQ_ASSIGN(result, FinishFailed(folders, job, outcome, std::move(reason)));
  }
  result.compile_ms = reply.compile_ms;
  std::error_code ignored;  // It goes with the worker's folder at the latest.
  std::filesystem::remove_all(event.out, ignored);
  return result;
}

Result<tune::BuildResult> FinishFailed(const PoolFolders& folders, const PoolJob& job,
                                       Outcome outcome, std::string reason) {
  if (IsDiskFull(reason))
    return DiskFull(folders);
  tune::BuildResult result;
  result.ticket = job.ticket;
  result.outcome = outcome;
  result.reason = std::move(reason);
  CROQ_ASSIGN(result.log_path, SaveLog(folders, job.ticket, job.log));
  return result;
}

}  // namespace croq::backend
