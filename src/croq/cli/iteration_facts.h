#pragma once

#include <optional>
#include <string>
#include <vector>

#include "croq/cli/sass_reader.h"
#include "croq/journal/queries.h"
#include "croq/journal/records.h"
#include "croq/model/iteration.h"
#include "croq/model/session_paths.h"
#include "croq/profile/kernel_profile.h"

namespace croq::cli {

/// Everything that is known of one iteration, as `croq diff` and `croq explain` show it.
struct IterationFacts {
  Iteration iteration;
  std::optional<journal::Idea> idea;
  std::optional<profile::KernelProfile> profile;  ///< the newest stored
  std::string source;                             ///< empty where the script is gone
  std::optional<profile::SassMix> sass;
  std::string no_sass;                            ///< why it is missing
};

/// `reader`: null leaves the SASS out.
Result<IterationFacts> ReadIterationFacts(const SessionPaths& paths, const journal::Queries& read,
                                          const Iteration& iteration, const SassReader* reader);

/// What a round started from: the iteration of the idea's base; else the last one kept before it.
/// Nothing for the first.
std::optional<Iteration> ParentOf(const std::vector<Iteration>& iterations,
                                  const IterationFacts& facts);

/// One lever that differs; empty where the other side does not have it.
struct LeverChange {
  std::string lever;
  std::string before;
  std::string after;
};

/// By lever, the variant first.
std::vector<LeverChange> CompareConfigs(const std::string& before, const std::string& after);

}  // namespace croq::cli
