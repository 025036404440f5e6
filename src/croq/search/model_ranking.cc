#include "croq/search/model_ranking.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "croq/search/elite.h"
#include "croq/search/space_walk.h"

namespace croq::search {
namespace {

/// Predictions already made; holds only configurations that the space allows.
class Visited {
 public:
  Visited(const Explored& explored, const Predictor& predict)
      : explored_(explored), predict_(predict) {}

  /// The prediction, or nothing where the space rejects the configuration.
  std::optional<double> Time(const Config& config) {
    const auto [at, added] = times_.try_emplace(config.Text());
    if (added && explored_.Allows(config)) {
      at->second = predict_(config);
      ranked_.push_back({config, *at->second});
    }
    return at->second;
  }

  std::vector<Scored> Ranked() && {
    std::stable_sort(ranked_.begin(), ranked_.end(),
                     [](const Scored& a, const Scored& b) { return a.time_ms < b.time_ms; });
    return std::move(ranked_);
  }

 private:
  const Explored& explored_;
  const Predictor& predict_;
  std::map<std::string, std::optional<double>> times_;
  std::vector<Scored> ranked_;
};

void Climb(const VariantSpace& variant, Config config, double time, Visited& visited) {
  for (bool moved = true; moved;) {
    moved = false;
    for (const Config& neighbour : Neighbours(variant, config)) {
      const std::optional<double> other = visited.Time(neighbour);
      if (!other || *other >= time)
        continue;
      config = neighbour;
      time = *other;
      moved = true;
      break;
    }
  }
}

void ClimbFromRandom(const VariantSpace& variant, const RankingEffort& effort, Random& random,
                     Visited& visited) {
  for (int draw = 0; draw < effort.draws_per_start; ++draw) {
    const Config start = RandomConfig(variant, random);
    if (const std::optional<double> time = visited.Time(start)) {
      Climb(variant, start, *time, visited);
      return;
    }
  }
}

/// Moves those that are one lever away from a better one to the end, keeping the order.
std::vector<Config> SpreadOut(std::vector<Scored> ranked) {
  std::vector<Config> head;
  std::vector<Config> tail;
  for (Scored& scored : ranked) {
    const bool close = std::any_of(head.begin(), head.end(), [&](const Config& better) {
      return Distance(better, scored.config) <= 1;
    });
    (close ? tail : head).push_back(std::move(scored.config));
  }
  head.insert(head.end(), std::make_move_iterator(tail.begin()),
              std::make_move_iterator(tail.end()));
  return head;
}

}  // namespace

std::vector<Config> RankByModel(const Explored& explored, const Predictor& predict, Random& random,
                                const RankingEffort& effort) {
  Visited visited(explored, predict);
  const bool all = explored.space().Size() < effort.all_below;
  for (const VariantSpace& variant : explored.space().variants) {
    for (std::uint64_t index = 0; all && index < SizeOf(variant); ++index) {
      visited.Time(ConfigAt(variant, index));
    }
    for (std::size_t start = 0; !all && start < effort.starts; ++start) {
      ClimbFromRandom(variant, effort, random, visited);
    }
  }
  std::vector<Scored> ranked = std::move(visited).Ranked();
  if (ranked.size() > effort.kept)
    ranked.resize(effort.kept);
  return SpreadOut(std::move(ranked));
}

}  // namespace croq::search
