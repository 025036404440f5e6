#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "croq/model/config.h"
#include "croq/model/measurement.h"
#include "croq/model/outcome.h"

namespace croq {

/// `iter007`, `attempt0012`.
std::string IterationName(int number);
std::string AttemptName(int number);

/// 2-31 of a-z, 0-9, _, starting with a letter.
bool IsValidTag(const std::string& tag);

/// Where a built candidate was compiled to, as stored.
struct BuildFacts {
  int registers = 0;
  int local_bytes = 0;
  std::int64_t shared_bytes = 0;
  double compile_ms = 0;
  std::string cubin_fingerprint;
};

/// One configuration, screened by the runner inside a round (a journal row).
struct Trial {
  std::int64_t id = 0;           ///< assigned by the journal, from 1
  int round = 0;
  Config config;
  Outcome outcome = Outcome::kCorrect;
  std::string reason;            ///< empty where correct
  std::string log;               ///< path below the session's logs, or empty
  double time_ms = 0;            ///< cold median; predicted where offline
  double max_abs_err = 0;
  BuildFacts build;
  std::string device_state;      ///< clock and throttle bits as text, or empty
  bool predicted = false;
  std::int64_t at_millis = 0;
};

/// A public, measured result: `iter<NNN>_<tag>`.
struct Iteration {
  int number = 0;
  std::string tag;
  int round = 0;
  std::string config;            ///< Config::Text(), or "torch.matmul" for iter000
  Decision decision = Decision::kNone;
  std::string bottleneck;        ///< empty until profiled
  std::string idea;              ///< one line
  double tflops = 0;             ///< contract regime; predicted where offline
  double time_ms = 0;            ///< contract regime
  double cold_ms = 0;            ///< cold median
  double ratio = 0;              ///< of cuBLAS, cold duel; 0 where there was none
  double ratio_low = 0;          ///< 99% interval
  double ratio_high = 0;
  double best_ratio = 0;         ///< of the best before it, cold duel; 0 where there was none
  double script_tflops = 0;      ///< what the script itself printed; 0 where it was not run
  bool verified = false;
  double max_abs_err = 0;
  BuildFacts build;
  bool predicted = false;
  std::int64_t at_millis = 0;

  std::string Name() const { return IterationName(number) + "_" + tag; }
  /// The kernel's own time: the cold median, else the contract regime's; 0 where there is neither.
  double KernelMillis() const { return cold_ms > 0 ? cold_ms : time_ms; }
};

/// A candidate that never got a measured verdict: `attempt<AAAA>_<tag>`.
struct Attempt {
  int number = 0;
  std::string tag;
  std::string config;
  Outcome outcome = Outcome::kCompile;
  std::string reason;
  std::string log;
  int tries = 0;
  std::int64_t at_millis = 0;

  std::string Name() const { return AttemptName(number) + "_" + tag; }
};

}  // namespace croq
