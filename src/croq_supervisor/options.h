#pragma once

#include <cstdint>
#include <string>

namespace croq::supervisor {

/// The command line: `--lifeline-fd N [--memory-bytes B] [--cpu-seconds S] [--file-bytes F] --
/// cmd`.
struct Options {
  int lifeline_fd = -1;
  std::int64_t memory_bytes = 0;  ///< 0: no limit
  std::int64_t cpu_seconds = 0;
  std::int64_t file_bytes = 0;
  char** command = nullptr;  ///< ends in a null pointer
};

/// False, with what is wrong in `problem`, where the command line can't be used.
bool ParseOptions(int argc, char** argv, Options& options, std::string& problem);

}  // namespace croq::supervisor
