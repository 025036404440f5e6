#pragma once

#include <optional>
#include <string_view>

namespace croq {

/// What became of a candidate. Everything but kCorrect is data about the candidate, not an error.
enum class Outcome {
  kCorrect,
  kConstraints,  ///< rejected before it was measured: it can't be what it says
  kCompile,      ///< Triton or ptxas refused it, or crashed on it in two fresh workers
  kRuntime,      ///< the launch failed or the GPU reported an error
  kTimeout,      ///< compile or launch ran past its deadline
  kCorrectness,  ///< it ran and its numbers are wrong
  kRule,         ///< it breaks the purity rule
};

std::string_view NameOf(Outcome outcome);
std::optional<Outcome> ParseOutcome(std::string_view name);

enum class Decision { kNone, kKeep, kDiscard };

std::string_view NameOf(Decision decision);  ///< "", KEEP, DISCARD
std::optional<Decision> ParseDecision(std::string_view name);

}  // namespace croq
