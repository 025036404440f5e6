#pragma once

#include <optional>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/config.h"
#include "croq/model/iteration.h"
#include "croq/model/launch_plan.h"
#include "croq/model/outcome.h"

namespace croq::tune {

/// A configuration that has been built.
struct Candidate {
  Config config;
  std::string source;        ///< the whole standalone script
  std::string tag;
  LaunchPlan plan;
  BuildFacts build;
};

/// What screening one candidate gave.
struct Evaluation {
  Outcome outcome = Outcome::kCorrect;
  std::string reason;
  double time_ms = 0;        ///< cold median, or predicted
  double max_abs_err = 0;
  std::string device_state;  ///< clock and throttle bits as text
  int sm_clock_mhz = 0;      ///< while it was timed; 0: not known
  double load_ms = 0;        ///< wall time of the runner's steps; 0 where there is none
  double check_ms = 0;
  double timing_ms = 0;
};

/// A ratio with its 99% interval; above 1 the candidate is faster.
struct Ratio {
  double value = 0;
  double low = 0;
  double high = 0;
  bool known() const { return value > 0; }
};

/// What a finalist is worth, against the others and the bars.
struct Standing {
  Outcome outcome = Outcome::kCorrect;
  std::string reason;        ///< offline, where correct: what was checked
  bool checked = true;       ///< its numbers; false: they could not be (reason says why)
  double contract_ms = 0;    ///< contract regime; predicted offline
  double cold_ms = 0;        ///< median of the duel's candidate times
  double max_abs_err = 0;
  Ratio of_baseline;         ///< torch.matmul's library call
  Ratio of_heuristic;        ///< cublasLt's best of 8
  Ratio of_best;             ///< the best kernel before it
  Ratio of_first;            ///< the first configuration of a brought file
};

/// A time in the contract regime, or what the candidate did instead of ending.
struct ContractTiming {
  Outcome outcome = Outcome::kCorrect;
  std::string reason;
  double ms = 0;             ///< predicted offline; 0 where outcome is not kCorrect
};

/// Judges candidates: on a GPU through the runner, or by the cost model and the interpreter.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  virtual bool Predicted() const = 0;
  /// From now on Judge compares with this candidate too, a brought file's first configuration.
  /// `ms`: as Screen gave it.
  virtual void SetFirst(const Candidate& first, double ms) {
    static_cast<void>(first), static_cast<void>(ms);
  }
  /// `incumbent_ms`: the best cold time so far, 0 where there is none.
  virtual Result<Evaluation> Screen(const Candidate& candidate, double incumbent_ms) = 0;
  /// Index of the fastest finalist that holds up (checked on every input set or in the
  /// interpreter), or nothing where none does. `finalists` come fastest first; failures are
  /// written into `rejected` as index and reason.
  struct Rejected {
    std::size_t index = 0;
    Outcome outcome = Outcome::kCorrectness;
    std::string reason;
  };
  virtual Result<std::optional<std::size_t>> Settle(const std::vector<Candidate>& finalists,
                                                    std::vector<Rejected>& rejected) = 0;
  /// Duels against the bars and the best kernel before it (null: there is none).
  virtual Result<Standing> Judge(const Candidate& candidate, const Candidate* best) = 0;
  /// A candidate that hangs or faults there is data, as anywhere else; an error is the device's.
  virtual Result<ContractTiming> ContractTime(const Candidate& candidate) = 0;
};

}  // namespace croq::tune
