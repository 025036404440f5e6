#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"
#include "croq/journal/records.h"

/// The text of the views that people and other tools read. Pure; view_files.h puts it on disk.
namespace croq::journal {

/// A field of a .tsv file: backslash, tab, newline and carriage return become \\ \t \n \r, so that
/// a record is one line and a field holds no tab.
std::string EscapeField(std::string_view text);
/// The inverse. A backslash that starts none of the four is an error.
Result<std::string> UnescapeField(std::string_view field);

/// First line of results.tsv and of predicted.tsv, with its newline.
std::string ResultsHeader();
std::string PredictedHeader();
/// One line of either file (both have the same columns in the same order), with its newline.
std::string ResultsLine(const Iteration& iteration);

/// One line of idea-log.jsonl and attempt-log.jsonl, with its newline.
std::string IdeaLine(const Idea& idea);
std::string AttemptLine(const Attempt& attempt);

/// The four files whole.
struct Views {
  std::string results;
  std::string predicted;             ///< the header alone where nothing was predicted
  std::string ideas;
  std::string attempts;
};

Views RenderViews(const std::vector<Iteration>& iterations, const std::vector<Idea>& ideas,
                  const std::vector<Attempt>& attempts);

}  // namespace croq::journal
