#pragma once

#include <filesystem>
#include <string>

#include "croq/backend/pool_worker.h"
#include "croq/tune/builder.h"

/// Inside the backend only: from what a worker said to what the tuner is told.
namespace croq::backend {

/// Folders of a pool, made at its start.
struct PoolFolders {
  std::filesystem::path cubins;
  std::filesystem::path logs;
  std::string log_prefix;  ///< differs from run to run, so that no log of an earlier one is lost
};

/// The result of a reply. A compiled kernel gets its fingerprint, registers and local memory, and
/// its cubin moves to cubins/<fingerprint>.cubin: equal code is one file, and the worker's folder
/// may go; a cubin that can't be read is a failed compile. Errors are the machine's: disk full.
Result<tune::BuildResult> FinishReply(const PoolFolders& folders, PoolEvent event);

/// The result of a job that lost its second worker, or was refused.
Result<tune::BuildResult> FinishFailed(const PoolFolders& folders, const PoolJob& job,
                                       Outcome outcome, std::string reason);

/// Whether a worker's words mean that the disk is full, which is no candidate's fault.
bool IsDiskFull(const std::string& message);

}  // namespace croq::backend
