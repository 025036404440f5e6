#include "croq/tune/script_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "croq/base/files.h"
#include "croq/contract/scripts.h"

namespace croq::tune {
namespace {

// A script imports torch (seconds, on a cold disk or a loaded machine over a minute), compiles once
// and launches 61 times.
constexpr double kBuildDeadlineSeconds = 300;
constexpr double kRunDeadlineSeconds = 300;
constexpr double kSteady = 0.03;
constexpr int kSteadyTries = 3;
constexpr double kAgreement = 0.05;
// Below this the interpreter's own launch cost shows in the script's figure.
constexpr double kLaunchBoundMs = 0.050;

double RelativeDifference(double a, double b) {
  const double larger = std::max(a, b);
  return larger > 0 ? std::fabs(a - b) / larger : 0;
}

}  // namespace

Status WriteCommands(Session& session, int number, const std::string& tag,
                     const std::string& kernel_filter) {
  const SessionPaths& paths = session.paths;
  for (const auto& folder : {paths.Sources(), paths.Commands(), paths.Performance()}) {
    CROQ_TRY(MakeDirectories(folder));
  }
  return contract::WriteScripts(session.contract,
                                {paths, number, tag, session.script_path_folders, kernel_filter});
}

Result<ScriptRun> RunBuildScript(Session& session, int number) {
  CROQ_ASSIGN(ScriptRun run,
              session.scripts.Run(session.paths.BuildScript(number), kBuildDeadlineSeconds));
  CROQ_TRY(WriteFileAtomic(session.paths.BuildLog(number), run.output));
  return run;
}

Result<ScriptStage> RunTimingScript(Session& session, int number,
                                    const std::function<Result<ContractTiming>()>& contract_time) {
  ScriptStage stage;
  const auto time = [&](double& ms) -> Result<bool> {
    CROQ_ASSIGN(ContractTiming timing, contract_time());
    stage.outcome = timing.outcome;
    stage.reason = std::move(timing.reason);
    ms = timing.ms;
    return stage.outcome == Outcome::kCorrect;
  };
  for (int attempt = 1; attempt <= kSteadyTries; ++attempt) {
    CROQ_ASSIGN(const bool sound_before, time(stage.before_ms));
    if (!sound_before) break;
    CROQ_ASSIGN(stage.run,
                session.scripts.Run(session.paths.RunScript(number), kRunDeadlineSeconds));
    stage.output = ReadScriptOutput(session.contract, stage.run.output);
    if (!stage.run.succeeded) break;
    CROQ_ASSIGN(const bool sound_after, time(stage.after_ms));
    if (!sound_after) break;
    if (RelativeDifference(stage.before_ms, stage.after_ms) <= kSteady) break;
  }
  return stage;
}

void ReportAgreement(Session& session, const std::string& name, const ScriptStage& stage) {
  if (!stage.output.timing) return;
  const double script_tflops = stage.output.timing->tflops;
  const double croq_ms = (stage.before_ms + stage.after_ms) / 2;
  const double croq_tflops = Tflops(session.shape.Flops(), croq_ms);
  // Without stated operations the times are all there is.
  const double difference = croq_tflops > 0
                                ? RelativeDifference(script_tflops, croq_tflops)
                                : RelativeDifference(stage.output.timing->time_ms, croq_ms);
  session.observer.OnEvent("script", {{"iteration", name},
                                      {"script_tflops", script_tflops},
                                      {"croq_tflops", croq_tflops},
                                      {"croq_before_ms", stage.before_ms},
                                      {"croq_after_ms", stage.after_ms},
                                      {"difference", difference}});
  if (croq_ms <= kLaunchBoundMs || difference <= kAgreement) return;
  session.observer.OnEvent(
      "warning",
      {{"message", fmt::format("{}: its own figure is {:.1f} TFLOPS and croq's {:.1f} (contract "
                               "regime, just before and after it): {:.1f}% apart",
                               name, script_tflops, croq_tflops, 100 * difference)}});
}

}  // namespace croq::tune
