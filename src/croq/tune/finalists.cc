#include "croq/tune/finalists.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace croq::tune {
namespace {

// Screening noise is a few percent: who lies within this of the fastest may be the fastest.
constexpr double kFinalistFactor = 1.05;
constexpr std::size_t kFinalists = 5;

}  // namespace

Result<std::optional<Winner>> SettleFinalists(Session& session, Leaderboard& board) {
  while (true) {
    const std::vector<Candidate> finalists = board.Top(kFinalists, kFinalistFactor);
    if (finalists.empty()) return std::nullopt;
    std::vector<Evaluator::Rejected> rejected;
    CROQ_ASSIGN(const std::optional<std::size_t> winner,
                session.evaluator.Settle(finalists, rejected));
    for (const Evaluator::Rejected& one : rejected) {
      const std::string config = finalists[one.index].config.Text();
      board.Remove(config);
      // The search must not go on around a kernel that is wrong on another input set.
      session.strategy.Observe(finalists[one.index].config, one.outcome, 0);
      session.observer.OnEvent(
          "warning", {{"message", fmt::format("finalist {} was rejected ({}): {}", config,
                                              NameOf(one.outcome), one.reason)}});
    }
    if (!winner) continue;
    board.Remove(finalists[*winner].config.Text());
    return Winner{finalists[*winner], finalists.size()};
  }
}

}  // namespace croq::tune
