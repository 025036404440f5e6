#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "croq/source/purity.h"
#include "croq/source/syntax.h"

/// What `croq check` prints.
namespace croq::cli {

/// One file of a check.
struct CheckedFile {
  std::string path;
  std::optional<std::string> unreadable;  ///< why; then there is no report
  source::PurityReport report;
  std::vector<std::string> lines;  ///< of each finding, in their order: the line's text in the file
};

/// 0: all accepted; 1: one is rejected; 2: one can't be read.
int ExitCodeOf(const std::vector<CheckedFile>& files);

/// Lines for people: each finding with its chain and how to mend it, then one verdict a file.
std::string CheckText(const CheckedFile& file);

/// docs/purity.md has the format.
nlohmann::json CheckJson(const std::vector<CheckedFile>& files, int iteration);

/// One finding of it, lines and columns from 1; the chain is how the code is reached, outermost first.
nlohmann::json FindingJson(const source::Finding& finding);

/// SARIF 2.1.0: one run, a rule a code, a result a finding, the chain as related locations.
nlohmann::json CheckSarif(const std::vector<CheckedFile>& files);

}  // namespace croq::cli
