#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "croq/model/iteration.h"
#include "croq/model/outcome.h"
#include "croq/model/session_paths.h"

namespace croq::journal {

/// What figures depend on beside the kernel. A part that does not apply is empty (torch offline).
struct Environment {
  std::string croq;
  std::string triton;
  std::string torch;
  std::string python;
  std::string driver;
  std::string gpu;                   ///< name, as the driver gives it

  friend bool operator==(const Environment&, const Environment&) = default;
};

/// "triton 3.6.0 -> 3.7.1" for every part that differs; an empty part is shown as "none".
std::vector<std::string> Differences(const Environment& before, const Environment& after);

std::string ToJsonText(const Environment& environment);
/// Missing parts are empty; text that is no JSON object gives an empty environment.
Environment EnvironmentFromJsonText(const std::string& text);

/// What a session is. The first four name it and must match to the character on resume.
struct SessionInfo {
  std::string gpu_key;
  std::string dsl;
  std::string shape_key;
  std::string model;
  bool offline = false;              ///< device offline:smXX: every figure is predicted
  std::string seed;                  ///< 64-bit, decimal; secret while the session runs
  std::int64_t created_millis = 0;
  Environment environment;
};

/// The last run, where it was killed: a new one may go on with what is left of its budget.
struct UnfinishedRun {
  std::int64_t id = 0;
  std::string argv;                  ///< JSON
  std::string budget;                ///< JSON
  /// Used, by it and the killed runs it went on with. What was rejected before it was built costs
  /// nothing and is not counted.
  std::int64_t trials = 0;
  int iterations = 0;                ///< likewise, committed ones
  double seconds = 0;                ///< likewise, from each start to its last commit
};

/// An iteration that was begun and neither committed nor abandoned: redo it, with its number.
struct OpenIteration {
  int number = 0;
  std::string tag;
  std::string config;
  int round = 0;
};

/// One row of idea-log.jsonl. `iter` is filled in by the journal.
struct Idea {
  std::string iter;
  std::string bottleneck;
  std::string evidence;
  std::string idea;
  std::string expected;
  std::string actual;
  Decision decision = Decision::kNone;
  std::int64_t at_millis = 0;
  int round = 0;                     ///< 0: written before rounds followed ideas
  std::string idea_id = {};          ///< of the menu; empty: wide screening
  std::string base = {};             ///< configuration that the round started from
  double expected_gain = 0;          ///< time before over time after; 0: none was expected
  double actual_gain = 0;            ///< 0: it was not measured
  std::string counters = "[]";       ///< JSON: what should have moved, before and after
  std::string rules = "{}";          ///< JSON: what the rules of rounds need to know of it
};

struct TriedConfig {
  std::string config;                ///< Config::Text()
  int round = 0;
  Outcome outcome = Outcome::kCorrect;
  double time_ms = 0;
};

enum class RunStatus { kRunning, kDone, kInterrupted, kFailed, kKilled };
std::string_view NameOf(RunStatus status);

/// A measurement of the session as a whole, as JSON text.
struct FactRecord {
  std::string key;
  std::string value;
};

/// The session in one line.
struct SessionSummary {
  SessionInfo info;
  std::int64_t trials = 0;           ///< rejected ones included
  std::int64_t rejected = 0;         ///< by a constraint, before they were built
  int iterations = 0;                ///< with iter000
  int attempts = 0;
  std::optional<Iteration> baseline; ///< iter000
  std::optional<Iteration> best;     ///< the last KEEP
  std::int64_t last_millis = 0;      ///< of the last commit
};

}  // namespace croq::journal
