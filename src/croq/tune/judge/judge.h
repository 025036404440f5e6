#pragma once

#include <optional>
#include <string>

#include "croq/source/purity.h"
#include "croq/tune/iteration_writer.h"
#include "croq/tune/judge/file_factory.h"
#include "croq/tune/pipeline.h"

namespace croq::tune {

/// All that came of judging one file. Exactly one of iteration and attempt is there.
struct Verdict {
  Outcome outcome = Outcome::kCorrect;
  std::string reason;                     ///< empty where correct
  source::PurityReport rule;
  std::optional<Iteration> iteration;     ///< it was measured: KEEP or DISCARD
  std::optional<Attempt> attempt;         ///< it got no verdict
  Standing standing;                      ///< ratios with their intervals, where it was measured
  ScriptClaims claims;                    ///< what the script says of itself; decides nothing
  std::string best_before;                ///< name of the iteration it was measured against
};

/// The referee: one file through the rule, capture, the compiler, the check, the clock and the
/// journal. What the file does wrong is in the verdict; an error is the machine's.
class Judge {
 public:
  /// `session.factory` is `factory`. Everything outlives this.
  Judge(Session& session, FileFactory& factory, Pipeline& pipeline)
      : session_(session), factory_(factory), pipeline_(pipeline),
        writer_(session, ScriptWord::kShown) {}

  /// `idea`: what its author says was tried; one line.
  Result<Verdict> Run(CandidateFile file, const std::string& idea);

 private:
  /// An iteration that a killed run left open goes back as an attempt, since its file is judged
  /// anew where it is handed in again.
  Status CloseOpen();
  Result<Built> BuildOne(const Config& config);
  /// The best kernel of the session, built from what is stored.
  Result<std::optional<Candidate>> BestBefore(Verdict& verdict);
  Result<Verdict> Fail(Verdict verdict, const Built& built, const std::string& idea);

  Session& session_;
  FileFactory& factory_;
  Pipeline& pipeline_;
  IterationWriter writer_;
};

}  // namespace croq::tune
