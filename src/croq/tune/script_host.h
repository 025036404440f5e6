#pragma once

#include <filesystem>
#include <string>

#include "croq/base/result.h"

namespace croq::tune {

/// How one contract script (build, run) ended.
struct ScriptRun {
  bool succeeded = false;
  bool timed_out = false;
  std::string reason;   ///< where it did not succeed: exit text and the last line it printed
  std::string output;   ///< stdout and stderr, capped
  double seconds = 0;
};

/// Runs contract scripts as limited children whose process group is killed whole.
class ScriptHost {
 public:
  virtual ~ScriptHost() = default;

  virtual Result<ScriptRun> Run(const std::filesystem::path& script, double deadline_seconds) = 0;
};

}  // namespace croq::tune
