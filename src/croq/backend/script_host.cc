#include "croq/backend/script_host.h"

#include <chrono>
#include <system_error>
#include <utility>

#include "croq/backend/worker_process.h"
#include "croq/process/run.h"

namespace croq::backend {

SupervisedScriptHost::SupervisedScriptHost(ScriptHostOptions options)
    : options_(std::move(options)) {}

Result<tune::ScriptRun> SupervisedScriptHost::Run(const std::filesystem::path& script,
                                                  double deadline_seconds) {
  std::error_code ignored;
  process::RunOptions run;
  run.argv = {std::filesystem::absolute(script, ignored).string()};
  run.environment = options_.environment;
  run.directory = options_.directory;
  run.limits = options_.limits;
  run.supervisor = options_.supervisor;
  run.deadline = std::chrono::milliseconds(static_cast<std::int64_t>(deadline_seconds * 1000));
  CROQ_ASSIGN(process::RunResult ended, process::RunToCompletion(run));
  tune::ScriptRun result;
  result.succeeded = ended.Succeeded();
  result.timed_out = ended.timed_out;
  if (!result.succeeded)
    result.reason = WithLastWords(ended.Text(), ended.output);
  result.output = std::move(ended.output);
  result.seconds = ended.seconds;
  return result;
}

}  // namespace croq::backend
