#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "croq/cli/evaluated.h"
#include "croq/source/outline.h"

namespace croq::cli {

/// An outline with the file that it points into.
struct OutlinedFile {
  const source::SyntaxTree& tree;
  const source::Outline& outline;
  const EvaluatedFile* evaluated = nullptr;  ///< null: not asked for
};

/// The object of one file in `croq outline --json` (docs/outline.md).
nlohmann::json OutlineJson(const OutlinedFile& file);

/// For a terminal, ends in a newline.
std::string OutlineText(const OutlinedFile& file);

// Words that both use.
std::string FormWord(source::ConfigsForm form);
std::string FormWord(source::LaunchForm form);
std::string GridWord(source::GridKind kind);
/// `BLOCK=128, num_warps=4`; what is not known is the expression's text.
std::string ConfigText(const source::SyntaxTree& tree, const source::ConfigInfo& config);

}  // namespace croq::cli
