#pragma once

#include <filesystem>

#include "croq/model/problem.h"
#include "croq/tune/brought/brought_file.h"
#include "croq/tune/brought/host_steps.h"
#include "croq/tune/runner.h"
#include "croq/tune/session.h"

/// The person's torch reference: what outputs are compared with, and the bar that iter000 is.
namespace croq::tune {

/// What the reference took, in its own process.
struct ReferenceBar {
  double contract_ms = 0;  ///< with the problem's own dtypes; 0: not timed
  double cold_ms = 0;
  std::string problem;     ///< why there is no time
};

/// Computes the reference of the first input sets from the inputs that the runner holds, and gives
/// it to the runner; the files stay below `work` for a fresh runner process. Times it with the
/// first. Usage error where the reference function fails.
Result<ReferenceBar> SetUpReferences(Runner& runner, ReferenceRunner& reference,
                                     const BroughtFile& file, int input_sets,
                                     const std::filesystem::path& work);

/// Writes, builds and (`measured`) runs iter000, the reference as a script. Where it is stored
/// already it does nothing.
Status WriteReferenceIteration(Session& session, const ReferenceBar& bar, bool measured);

}  // namespace croq::tune
