#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "croq/backend/ncu_profiler.h"
#include "croq/contract/contract.h"
#include "croq/journal/queries.h"
#include "croq/model/iteration.h"
#include "croq/model/session_paths.h"
#include "croq/model/shape_key.h"

namespace croq::cli {

/// `croq profile`, as typed.
struct ProfileArguments {
  std::string iteration;
  std::string session;
  std::string via = "script";  ///< script, runner
  std::string out = ".";
  std::string dsl = "triton";
  std::string device = "auto";
  double deadline_seconds = 300;
  bool no_profile = false;
  bool json = false;
};

/// The iteration that is profiled, and its session.
struct ProfileSubject {
  SessionPaths paths;
  ShapeKey shape;  ///< of a brought kernel: with what its file states, as stored
  Iteration iteration;
  contract::Contract contract;
  profile::Ceilings ceilings;  ///< what the session measured of the device; may be empty
};

/// Fills in the shape, and the session's measured ceilings: cuBLAS at this problem, a
/// device-to-device copy. Error where the session's folder is named after no problem.
Status ReadSession(const journal::Queries& read, ProfileSubject& subject);

/// The time of one call as the iteration's script saw it, the host's part included.
std::optional<double> WallMillis(const ProfileSubject& subject);

/// Through the iteration's own profile script, which is written anew. Usage error where its source
/// still holds an autotuner: it would run every configuration under the profiler.
Result<backend::ProfileOutcome> ProfileScript(const ProfileSubject& subject,
                                              const ProfileArguments& arguments);

/// Through croq-runner, from the plan that the iteration's configuration makes. Usage error for a
/// brought kernel and for iter000, whose plans are not made from a configuration.
Result<backend::ProfileOutcome> ProfileInRunner(const ProfileSubject& subject,
                                                const ProfileArguments& arguments);

/// From the stored build and time alone. Usage error where croq has no figures of such a GPU.
Result<profile::KernelProfile> ProfileStatically(const ProfileSubject& subject);

}  // namespace croq::cli
