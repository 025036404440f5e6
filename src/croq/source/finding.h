#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What `croq check` says of a file.
namespace croq::source {

enum class Level {
  kReject,   ///< the rule is broken
  kSuspect,  ///< allowed here; the measurement has to show that it is honest
  kNote,     ///< worth knowing, no blame
};

std::string_view NameOf(Level level);  ///< reject, suspect, note

/// One kind of finding. The level is the code's first letter: E, S, N.
struct CodeFacts {
  std::string_view code;   ///< E101
  std::string_view title;  ///< "matrix product by operator"
  std::string_view mend;   ///< one sentence
  Level level() const;
};

/// All kinds, sorted by code: rejects, suspicions, notes. docs/purity.md has an example of each.
std::span<const CodeFacts> FindingCodes();
const CodeFacts* FindCode(std::string_view code);  ///< null where there is none

/// One function on the way from the launcher to a finding, or the part of the file that runs it.
struct ChainStep {
  std::string name;  ///< kernel_fn, Runner.__call__, "module level"
  int line = 1;      ///< where it is defined
  int column = 0;    ///< from 0, in bytes
};

struct Finding {
  std::string code;
  Level level = Level::kReject;
  int line = 1;
  int column = 0;                ///< from 0, in bytes
  std::vector<ChainStep> chain;  ///< the launcher first, the function that holds the place last
  std::string message;           ///< one sentence
  std::string mend;              ///< one sentence
};

/// `kernel_fn → prepare`; empty for an empty chain.
std::string ChainText(const Finding& finding);
/// `PATH:LINE:COLUMN: reject E101: sentence` with columns from 1.
std::string FindingLine(const std::string& path, const Finding& finding);

}  // namespace croq::source
