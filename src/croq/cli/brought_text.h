#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "croq/cli/output.h"
#include "croq/model/iteration.h"
#include "croq/model/session_paths.h"
#include "croq/model/shape_key.h"

/// How the results of a brought file are shown.
namespace croq::cli {

/// What a session's shape key says; matmul where it says nothing that is known.
Operator OperatorOf(const SessionPaths& paths);

/// ShapeKey::LibraryCall of a session's shape key.
std::string LibraryCallOf(const SessionPaths& paths);

/// Whom an iteration's ratio is of: `cuBLAS`, or `the first configuration`.
std::string BarName(Operator op);

/// `4100 GB/s (96.2% of ...), 5.3 TFLOPS, 0.1312 ms (contract regime)`: what the file states, or the
/// time alone. `figures`: as BroughtRun::Figures gives them.
std::string BroughtRate(const Iteration& best, const nlohmann::json& figures);

/// Rows on the speed-up over the file's own first configuration and over its torch reference.
void AddSpeedUps(TextTable& table, const nlohmann::json& figures, bool predicted);

}  // namespace croq::cli
