#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "croq/model/session_paths.h"
#include "croq/profile/ideas.h"

namespace croq::cli {

/// What became of ideas in the sessions of one operator below `out`, but for `except` (empty:
/// none). Sessions that can't be read count for nothing.
std::vector<profile::IdeaRecord> OperatorHistory(const std::filesystem::path& out,
                                                 const std::string& operator_word,
                                                 const std::string& except);

}  // namespace croq::cli
