#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "croq/backend/compile_pool.h"
#include "croq/backend/purity_check.h"
#include "croq/backend/python_workers.h"
#include "croq/backend/replay_profiler.h"
#include "croq/backend/script_host.h"
#include "croq/cli/tune_setup.h"
#include "croq/journal/records.h"
#include "croq/model/runner_messages.h"
#include "croq/model/session_paths.h"

/// What every command that opens a session puts together in the same way.
namespace croq::cli {

/// Where this setup's session of `shape` lies.
SessionPaths PathsOf(const TuneSetup& setup, const ShapeKey& shape);

/// From the kernel's entropy; the clock where that fails.
std::uint64_t FreshSeed();

/// How the journal should know a session of this setup.
journal::SessionInfo WantedSession(const TuneSetup& setup, const SessionPaths& paths,
                                   std::uint64_t seed);

backend::PythonWorkers WorkersOf(const TuneSetup& setup);

Result<std::unique_ptr<backend::CompilePool>> StartPool(const TuneSetup& setup,
                                                        const SessionPaths& paths);

/// Holds what is stored to the purity rule.
std::unique_ptr<backend::PurityCheck> MakeRuleCheck(const TuneSetup& setup,
                                                    const SessionPaths& paths);

/// Runs the contract's scripts on the setup's device.
std::unique_ptr<backend::SupervisedScriptHost> MakeScriptHost(const TuneSetup& setup,
                                                              const SessionPaths& paths);

/// What stands first on PATH in the scripts: the interpreter, then the profiler.
Result<std::vector<std::filesystem::path>> ScriptPathFolders(const TuneSetup& setup,
                                                             const SessionPaths& paths);

/// What the runner prepares for a built-in problem.
PrepareRequest RequestFor(const TuneSetup& setup, const ShapeKey& shape, std::uint64_t input_seed);

/// For profiles of recorded plans in a croq-runner of their own. `prepare`: as the session's runner
/// was prepared, but for the seed, which is secret while candidates run, and the libraries, as no bar
/// is timed and opening cuBLAS takes its time.
backend::ReplayOptions ReplayOptionsFor(const TuneSetup& setup, const SessionPaths& paths,
                                        PrepareRequest prepare);

}  // namespace croq::cli
