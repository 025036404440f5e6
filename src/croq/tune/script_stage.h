#pragma once

#include <functional>
#include <string>

#include "croq/tune/script_output.h"
#include "croq/tune/session.h"

namespace croq::tune {

/// iter000, which every ratio is of.
inline constexpr int kBaselineNumber = 0;

/// One run of an iteration's own script, between two timings of the same kernel by croq.
struct ScriptStage {
  ScriptRun run;
  ScriptOutput output;
  /// Where croq's own timing found the candidate at fault: the outcome and why. Nothing else counts.
  Outcome outcome = Outcome::kCorrect;
  std::string reason;
  double before_ms = 0;  ///< croq's contract-regime time just before the script
  double after_ms = 0;   ///< and just after
};

/// Makes the session's folders and writes the build, run and profile scripts of an iteration.
Status WriteCommands(Session& session, int number, const std::string& tag,
                     const std::string& kernel_filter = {});

/// Runs build_iter<NNN>.sh and keeps what it printed in build_iter<NNN>.txt.
Result<ScriptRun> RunBuildScript(Session& session, int number);

/// Runs run_iter<NNN>.sh between two calls of `contract_time`; again, a bounded number of
/// times, where the two differ by over 3%, as the clock moved then.
Result<ScriptStage> RunTimingScript(Session& session, int number,
                                    const std::function<Result<ContractTiming>()>& contract_time);

/// Emits the event `script`, and a warning where the script's own figure and croq's are over 5%
/// apart on a kernel over 50 microseconds.
void ReportAgreement(Session& session, const std::string& name, const ScriptStage& stage);

}  // namespace croq::tune
