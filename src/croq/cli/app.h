#pragma once

namespace croq::cli {

/// What the process says by its exit code.
inline constexpr int kExitDone = 0;
inline constexpr int kExitFatal = 1;  ///< also: a check failed, a file was rejected
inline constexpr int kExitUsage = 2;
inline constexpr int kExitNoKernel = 3;  ///< a run ended without a verified kernel
inline constexpr int kExitInterrupted = 130;

/// Reads the command line, runs the command and reports its error. Never throws.
int RunApp(int argc, const char* const* argv);

}  // namespace croq::cli
