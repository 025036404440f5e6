#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "croq/cli/tune_setup.h"
#include "croq/tune/judge/judge.h"

namespace croq::cli {

/// What `croq judge` says at its end.
struct Judged {
  tune::Verdict verdict;
  SessionPaths paths;
};

/// Judges one file in the session of `setup` (its only shape).
Result<Judged> JudgeFile(TuneSetup& setup, const std::filesystem::path& file,
                         const std::string& idea);

/// The one object of --json (docs/judge.md).
nlohmann::json VerdictJson(const TuneSetup& setup, const Judged& judged);
/// The same for a person, a few lines.
std::string FormatVerdict(const TuneSetup& setup, const Judged& judged);

}  // namespace croq::cli
