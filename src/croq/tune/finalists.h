#pragma once

#include <optional>

#include "croq/tune/leaderboard.h"
#include "croq/tune/session.h"

namespace croq::tune {

/// The winner of a round, with how many were compared.
struct Winner {
  Candidate candidate;
  std::size_t finalists = 0;
};

/// Takes the winner among a board's fastest off it; those that don't hold up are removed and
/// reported. Nothing where none does.
Result<std::optional<Winner>> SettleFinalists(Session& session, Leaderboard& board);

}  // namespace croq::tune
