#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"
#include "croq/contract/contract.h"
#include "croq/model/launch_plan.h"
#include "croq/model/session_paths.h"

namespace croq::contract {

/// What the templates' placeholders stand for in one iteration.
struct ScriptContext {
  SessionPaths paths;
  int iteration = 0;
  std::string tag;
  /// Put first on PATH, in order: the folder whose python3 is the checked interpreter, the
  /// profiler's where it is not on PATH. Absolute.
  std::vector<std::filesystem::path> path_folders;
  /// What `ncu --kernel-name` takes; see KernelFilter. Empty: the contract's for the baseline.
  std::string kernel_filter;
};

struct RenderedScripts {
  std::string build;
  std::string run;
  std::string profile;
};

/// The contract's commands word for word, after the preamble. The scripts find the tree from their
/// own place, so it can be moved, and `out` may hold any characters. Usage error where a name could
/// not stand in a path or a folder could not stand in PATH.
Result<RenderedScripts> RenderScripts(const Contract& contract, const ScriptContext& context);

/// Renders them and writes them, executable, to paths.Commands(), which is made where missing.
Status WriteScripts(const Contract& contract, const ScriptContext& context);

/// The filter for exactly these functions, with or without Triton 2's suffix.
std::string KernelFilter(std::span<const std::string> kernels);

/// The filter for the kernel that a plan launches first; empty where it launches none.
std::string KernelFilterOf(const LaunchPlan& plan);
/// Its name; empty where there is none.
std::string FirstKernelOf(const LaunchPlan& plan);

/// `'it'\''s'`: one word for a POSIX shell.
std::string ShellQuote(std::string_view text);

/// `<gpu>`, `<NNN>`, ...
std::span<const std::string> KnownPlaceholders();
/// What looks like a placeholder and is none.
std::vector<std::string> UnknownPlaceholders(std::string_view text);

}  // namespace croq::contract
