#pragma once

#include <filesystem>

#include "croq/process/environment.h"
#include "croq/process/subprocess.h"
#include "croq/tune/script_host.h"

namespace croq::backend {

struct ScriptHostOptions {
  std::filesystem::path supervisor;  ///< process::FindSibling("croq-supervisor")
  std::filesystem::path directory;   ///< working directory of the scripts
  process::Environment environment = process::CurrentEnvironment();
  process::Limits limits;
};

/// Runs contract scripts (executable files) under the supervisor.
class SupervisedScriptHost : public tune::ScriptHost {
 public:
  explicit SupervisedScriptHost(ScriptHostOptions options);
  Result<tune::ScriptRun> Run(const std::filesystem::path& script,
                              double deadline_seconds) override;

 private:
  ScriptHostOptions options_;
};

}  // namespace croq::backend
