#pragma once

#include <functional>
#include <optional>
#include <string>

#include "croq/contract/script_output.h"
#include "croq/profile/ideas.h"
#include "croq/tune/script_stage.h"
#include "croq/tune/session.h"

namespace croq::tune {

/// Where a candidate comes from, for the logs.
struct Origin {
  int round = 0;
  std::string idea;      ///< one line: what was tried
  std::string evidence;  ///< one line: why
  std::string expected = {};  ///< one line; empty: faster than the best so far
  /// Completes what is stored, once the decision is known. `standing` is null for an attempt.
  std::function<Status(Iteration&, const Standing* standing, journal::Idea&)> complete = {};
};

/// Fact of a session with a brought file: {"iteration", "ratio"} of the best kernel against the
/// file's own first configuration.
inline constexpr const char* kFirstFact = "best_of_first";

/// Reserves the next iteration number, or takes up the one that a killed run had reserved for the
/// same tag and configuration.
Result<int> BeginOrTakeUp(journal::Journal& journal, const std::string& tag,
                          const std::string& config, int round);

/// What a script's own word counts for.
enum class ScriptWord {
  kDecides,  ///< croq's own scripts: one that fails or says FAIL is no iteration
  kShown,    ///< somebody else's: shown beside croq's figures, and decides nothing
};

/// What a script says of itself.
struct ScriptClaims {
  bool ran = false;
  std::string verify;    ///< PASS, or FAIL max_abs_err=<v>; empty: it said nothing
  std::optional<contract::PrintedTiming> timing;
  std::string problem;   ///< why its run failed; empty where it did not
};

/// What became of a candidate: an iteration, or an attempt.
struct Written {
  std::optional<Iteration> iteration;
  std::optional<Attempt> attempt;
  Standing standing;     ///< where it is an iteration
  ScriptClaims claims;
};

/// Turns a candidate into a public iteration: script, build, run, verification, timing, decision,
/// journal. A candidate that breaks the purity rule becomes an attempt at once; one whose script
/// fails is retried within the contract's budget and then becomes an attempt.
class IterationWriter {
 public:
  explicit IterationWriter(Session& session, ScriptWord word = ScriptWord::kDecides)
      : session_(session), word_(word) {}

  /// `best`: the kernel to beat, null where there is none.
  Result<Written> Write(const Candidate& candidate, const Candidate* best, const Origin& origin);
  /// Stores a candidate that was not built or not right as an attempt: its source, why, the log.
  Result<Attempt> WriteFailure(const Candidate& candidate, Outcome outcome,
                               const std::string& reason, const std::string& log,
                               const Origin& origin);

 private:
  struct Failed {
    Outcome outcome = Outcome::kCompile;
    std::string reason;
    std::string log;
    int tries = 0;
  };

  Status WriteFiles(int number, const Candidate& candidate);
  /// The purity rule, before anything of the script is built.
  Result<std::optional<Failed>> CheckRule(const Candidate& candidate, const Iteration& iteration);
  /// Build script, then (on a GPU) run script; what went wrong, or nothing.
  Result<std::optional<Failed>> BuildAndRun(const Candidate& candidate, Iteration& iteration);
  Result<std::optional<Failed>> RunOnce(const Candidate& candidate, Iteration& iteration);
  Result<std::optional<Failed>> JudgeIt(const Candidate& candidate, const Candidate* best,
                                        Iteration& iteration, Standing& standing);
  /// What the script's own word, where it decides, says against the candidate.
  std::optional<Failed> Believe(const ScriptStage& stage, const std::string& log) const;
  Result<Attempt> GiveUp(const Candidate& candidate, Iteration& iteration, const Failed& failed,
                         const Origin& origin);
  void KeepCubins(const Candidate& candidate, const Iteration& iteration);
  void Warn(const std::string& message);

  Session& session_;
  ScriptWord word_;
  ScriptClaims claims_;  ///< of the candidate that is being written
};

}  // namespace croq::tune
