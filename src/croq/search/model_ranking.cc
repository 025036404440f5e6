#include "croq/search/model_ranking.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "croq/search/elite.h"
#include "croq/search/space_walk.h"

namespace croq::search {
namespace {

bool Faster(const Scored& a, const Scored& b) {
  return a.time_ms < b.time_ms;
}

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
    std::stable_sort(ranked_.begin(), ranked_.end(), Faster);
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
    for (const Config& alternative : Alternatives(variant, config)) {
      const std::optional<double> other = visited.Time(alternative);
      if (!other || *other >= time)
        continue;
      config = alternative;
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

/// How much of the predictions' spread a lever explains: the variance of the mean logarithm over
/// the lever's values.
double WeightOf(const Lever& lever, const std::vector<const Scored*>& predictions) {
  std::map<LeverValue, std::pair<double, double>> sums;  // of the logarithms, and their number
  double sum = 0;
  for (const Scored* scored : predictions) {
    const double log = std::log(scored->time_ms);
    auto& [total, count] = sums[scored->config.values.at(lever.name)];
    total += log;
    count += 1;
    sum += log;
  }
  const double mean = sum / static_cast<double>(predictions.size());
  double variance = 0;
  for (const auto& [value, totals] : sums) {
    const double deviation = totals.first / totals.second - mean;
    variance += totals.second * deviation * deviation;
  }
  return variance / static_cast<double>(predictions.size());
}

/// The names of the levers that weigh most among a variant's good configurations. Not among all:
/// that one stage is slow says nothing of whether four or five differ. `predictions` come fastest
/// first.
std::vector<std::string> WeightyLevers(const VariantSpace& variant,
                                       const std::vector<Scored>& predictions) {
  constexpr std::size_t kWeighty = 2;
  constexpr double kGood = 1.5;
  std::vector<const Scored*> own;
  for (const Scored& scored : predictions) {
    if (scored.config.variant != variant.variant)
      continue;
    if (!own.empty() && scored.time_ms > kGood * own.front()->time_ms)
      break;
    own.push_back(&scored);
  }
  std::vector<std::pair<double, std::string>> weights;
  for (const Lever& lever : variant.levers) {
    weights.emplace_back(own.empty() ? 0 : -WeightOf(lever, own), lever.name);
  }
  std::sort(weights.begin(), weights.end());
  if (weights.size() > kWeighty)
    weights.resize(kWeighty);
  std::vector<std::string> names;
  for (const auto& [weight, name] : weights) names.push_back(name);
  return names;
}

/// Sorts anew with each further member of a group set back. `ranked` comes fastest first.
std::vector<Scored> SpreadOut(const SearchSpace& space, std::vector<Scored> ranked) {
  constexpr double kSetBack = 0.05;
  std::map<std::string, std::vector<std::string>> weighty;
  for (const VariantSpace& variant : space.variants) {
    weighty[variant.variant] = WeightyLevers(variant, ranked);
  }
  std::map<std::string, int> members;
  for (Scored& scored : ranked) {
    std::string group = scored.config.variant;
    for (const std::string& lever : weighty[scored.config.variant]) {
      group += " " + ToText(scored.config.values.at(lever));
    }
    scored.time_ms *= 1 + kSetBack * members[group]++;
  }
  std::stable_sort(ranked.begin(), ranked.end(), Faster);
  return ranked;
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
  std::vector<Scored> ranked = SpreadOut(explored.space(), std::move(visited).Ranked());
  if (ranked.size() > effort.kept)
    ranked.resize(effort.kept);
  std::vector<Config> configs;
  for (Scored& scored : ranked) configs.push_back(std::move(scored.config));
  return configs;
}

}  // namespace croq::search
