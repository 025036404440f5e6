#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "croq/journal/records.h"
#include "croq/model/iteration.h"
#include "croq/model/session_paths.h"

/// How sessions and iterations are shown. Every figure stands with its regime, and a predicted one
/// is called so.
namespace croq::cli {

/// Everything `croq show` says of one session.
struct SessionView {
  SessionPaths paths;
  journal::SessionSummary summary;
  std::vector<journal::FactRecord> facts;
  std::vector<Iteration> iterations;
  std::vector<Attempt> attempts;
  std::vector<Trial> last_trials;    ///< oldest first
};

std::string FormatSession(const SessionView& view);
nlohmann::json SessionJson(const SessionView& view);

std::string FormatIteration(const SessionPaths& paths, const Iteration& iteration);
nlohmann::json IterationJson(const SessionPaths& paths, const Iteration& iteration);

/// "712.3 TFLOPS (contract)" or "712.3 TFLOPS (predicted)".
std::string FormatRate(const Iteration& iteration);
/// "0.983 [0.979, 0.987]", or "-" where there was no duel.
std::string FormatShare(const Iteration& iteration);
/// "2026-01-31 12:00:00 UTC"
std::string FormatWhen(std::int64_t unix_millis);

}  // namespace croq::cli
