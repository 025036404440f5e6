#pragma once

#include <string>

#include "croq/tune/runner.h"
#include "croq/tune/session.h"

namespace croq::tune {

/// The bars of a shape on this device in this run.
struct Baseline {
  double cold_ms = 0;          ///< cuBLAS as torch.matmul calls it
  double contract_ms = 0;
  std::string kernel;          ///< what it launches
  std::string problem;         ///< why there is no baseline; empty where there is
  double heuristic_ms = 0;     ///< cold, cublasLt's fastest of its first 8; 0: not found
  int heuristic = 0;           ///< its index
  int heuristics_tried = 0;
};

/// Times cuBLAS and finds cublasLt's best in the runner. A missing library is a problem in the
/// report, not an error.
Result<Baseline> MeasureBars(Runner& runner, const PrepareReply& prepared);

/// Writes iter000's script with its commands, holds it to the rule of the baseline and builds it.
/// One that breaks the rule is not built: the verdict says so. `what` names it in messages.
Result<RuleVerdict> StageBaseline(Session& session, const std::string& name,
                                  const operators::Script& script, const std::string& what);

/// Writes, builds and (on a GPU) runs iter000, torch.matmul, and compares what it prints with
/// croq's own timing of the library: kernel and figure. `runner` is null without a GPU. Where
/// iter000 is stored already it does nothing, or with `again` runs it once more and reports that.
Status WriteBaseline(Session& session, Runner* runner, const Baseline& bars, bool again);

}  // namespace croq::tune
