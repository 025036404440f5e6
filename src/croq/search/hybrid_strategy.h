#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "croq/search/elite.h"
#include "croq/search/explored.h"
#include "croq/search/random.h"
#include "croq/search/residual.h"
#include "croq/search/strategy.h"

namespace croq::search {

/// How HybridStrategy spends its proposals. The shares are of those after the start.
struct HybridTuning {
  std::size_t model_start = 16;  ///< of the model's list, where there is a model
  std::size_t random_start = 8;  ///< drawn evenly over the variants; 24 without a model
  std::size_t parents = 6;       ///< the fastest that are searched around
  double share_random = 0.08;
  double share_model = 0.17;       ///< next of the model's list
  double share_cross = 0.20;       ///< of two parents, also into another variant
  double share_two_levers = 0.15;  ///< the rest: one lever, one place
  std::size_t tournament = 3;      ///< neighbours drawn, the best expected one is taken
};

/// The default strategy: the shortlist, the head of the cost model's list, a spread-out random
/// start, then around the fastest: one lever one place, two levers, crossings of two, with a share
/// of model-ranked and random exploration that never ends. Predictions are corrected by what the
/// session measured (residual.h), and the model's list is walked in the corrected order. A
/// neighbour's expected time is its parent's measured time scaled by the ratio of their predictions:
/// the model is asked only which way is down, and its error at the parent cancels.
class HybridStrategy : public Strategy {
 public:
  explicit HybridStrategy(StrategyOptions options, HybridTuning tuning = {});

  std::string_view Name() const override { return "hybrid"; }
  std::optional<Config> Propose() override;
  void Observe(const Config& config, Outcome outcome, double time_ms) override;

 private:
  enum class Move { kRandom, kModel, kCross, kTwoLevers, kNeighbour };

  Move Draw();
  /// A configuration by one move; may be known or rejected, or none that the move can make.
  std::optional<Config> Make(Move move);
  std::optional<Config> NextOfModel();
  double Corrected(const Config& config) const;
  std::optional<Config> CrossParents(const std::vector<Scored>& parents);
  /// One lever one place from the fastest, each with its parent. Parents that have none any more
  /// make room for the next fastest.
  std::vector<std::pair<Scored, Config>> UnknownNeighbours();
  std::optional<Config> BestNeighbour();
  Config RandomOfAnyVariant();
  const Scored& DrawParent(const std::vector<Scored>& parents);

  Explored explored_;
  Predictor predict_;
  HybridTuning tuning_;
  Random random_;
  std::deque<Config> start_;
  std::deque<Scored> ranked_;  ///< what is left of the model's list, with its predictions
  Residual residual_;
  Elite elite_;
  Elite open_;  ///< those whose neighbours are not all known
};

}  // namespace croq::search
