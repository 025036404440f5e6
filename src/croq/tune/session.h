#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/clock.h"
#include "croq/base/result.h"
#include "croq/contract/contract.h"
#include "croq/journal/journal.h"
#include "croq/model/device.h"
#include "croq/model/session_paths.h"
#include "croq/model/shape_key.h"
#include "croq/operators/operator.h"
#include "croq/search/strategy.h"
#include "croq/tune/builder.h"
#include "croq/tune/evaluator.h"
#include "croq/tune/idea_settings.h"
#include "croq/tune/observer.h"
#include "croq/tune/rule_check.h"
#include "croq/tune/screen_account.h"
#include "croq/tune/script_host.h"

namespace croq::tune {

/// What ends a run; 0 means no such limit. At least one is set.
struct Budget {
  int rounds = 0;
  std::int64_t trials = 0;
  double seconds = 0;
  std::int64_t trials_without_gain = 0;  ///< since one was over 0.5% faster than all before it
};

/// Everything a run works with. All of it outlives the run; cli puts it together.
struct Session {
  const ShapeKey& shape;
  const DeviceFacts& device;
  const SessionPaths& paths;
  const contract::Contract& contract;
  std::vector<std::filesystem::path> script_path_folders;  ///< first on PATH in the scripts
  const operators::CandidateFactory& factory;
  journal::Journal& journal;
  Builder& builder;
  Evaluator& evaluator;
  ScriptHost& scripts;
  RuleCheck& rules;
  search::Strategy& strategy;
  Observer& observer;
  const std::atomic<bool>& interrupted;
  double baseline_ms = 0;            ///< cold median of cuBLAS in this run; 0: none
  const IdeaSettings* ideas = nullptr;  ///< null: every round screens widely
};

/// How a run ended.
struct RunSummary {
  bool interrupted = false;
  std::int64_t trials = 0;           ///< of this run
  std::int64_t correct_trials = 0;
  double screening_seconds = 0;
  ScreenAccount account;             ///< where they went
  double wall_seconds = 0;
  std::string ended_by;              ///< "time", "trials", "rounds", "space exhausted", "interrupt",
                                     ///< "local optimum", "roofline", "no gain"
  std::optional<Iteration> best;     ///< of the session
};

}  // namespace croq::tune
