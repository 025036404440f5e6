#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "croq/cli/svg_plot.h"
#include "croq/journal/queries.h"
#include "croq/journal/records.h"
#include "croq/model/iteration.h"
#include "croq/profile/kernel_profile.h"
#include "croq/tune/round_audit.h"

namespace croq::cli {

/// A session's path as its journal holds it.
struct SessionPath {
  std::string name;
  journal::SessionSummary summary;
  std::vector<Iteration> iterations;
  std::vector<Attempt> attempts;
  std::vector<journal::Idea> ideas;
  std::map<std::string, profile::KernelProfile> profiles;  ///< by configuration
  tune::RuleReport rules;
};

Result<SessionPath> ReadSessionPath(const std::string& name, const journal::Queries& read);

Plot PlotOf(const SessionPath& path);

/// How the KEEPs of ideas came about.
struct KeepCount {
  int kept = 0;           ///< iterations that an idea's round kept
  int aimed = 0;          ///< of those: the first known counter it aimed at moved as expected
  int known = 0;          ///< of those: that counter is known before and after
};

KeepCount CountKeeps(const SessionPath& path);

/// Markdown; `picture` stands where the plot goes (a link, or the SVG itself).
std::string ExplainSession(const SessionPath& path, const std::string& picture);

}  // namespace croq::cli
