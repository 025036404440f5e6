#include "croq/search/residual.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace croq::search {
namespace {

constexpr int kPasses = 6;
/// Failures of the model beyond these factors say no more (a spill, a noisy sample).
const double kMostLog = std::log(3.0);

}  // namespace

std::vector<std::uint64_t> Residual::KeysOf(const Config& config) {
  const std::uint64_t variant = HashOn(kHashStart, config.variant);
  // A tile's shape and its warps decide the code that the compiler writes, whatever the variant.
  std::uint64_t tile = HashOn(kHashStart, "tile");
  for (const char* lever : {"BLOCK_M", "BLOCK_N", "num_warps"})
    tile = HashValueOn(tile, LeverValue(config.IntOr(lever, 0)));
  std::vector<std::uint64_t> keys{variant, tile};
  keys.reserve(config.values.size() + 2);
  for (const auto& [lever, value] : config.values)
    keys.push_back(HashValueOn(HashOn(variant, lever), value));
  return keys;
}

std::uint32_t Residual::EffectOf(std::uint64_t key) {
  const auto [at, added] = places_.try_emplace(key, static_cast<std::uint32_t>(effects_.size()));
  if (added) effects_.emplace_back();
  return at->second;
}

void Residual::Add(const Config& config, double measured_ms, double predicted_ms) {
  Row row;
  row.log_ratio = std::clamp(std::log(measured_ms / predicted_ms), -kMostLog, kMostLog);
  for (const std::uint64_t key : KeysOf(config)) row.effects.push_back(EffectOf(key));
  if (rows_.size() < kMostRows) {
    rows_.push_back(std::move(row));
  } else {
    rows_[next_row_] = std::move(row);
    next_row_ = (next_row_ + 1) % kMostRows;
  }
  if (++added_ < next_fit_) return;
  Fit();
  const auto grown = static_cast<std::size_t>(kRefitGrowth * static_cast<double>(added_));
  next_fit_ = std::max(added_ + 8, grown);
}

/// One kind of effect after the other, each on what the others leave: all at once would overshoot.
void Residual::Fit() {
  std::size_t most = 0;
  for (Effect& effect : effects_) effect = {};
  std::vector<double> left;
  for (const Row& row : rows_) {
    left.push_back(row.log_ratio);
    most = std::max(most, row.effects.size());
  }
  for (int pass = 0; pass < kPasses; ++pass) {
    for (std::size_t kind = 0; kind < most; ++kind) FitKind(kind, left);
  }
}

void Residual::FitKind(std::size_t kind, std::vector<double>& left) {
  for (Effect& effect : effects_) effect.sum = effect.count = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (kind >= rows_[i].effects.size()) continue;
    Effect& effect = effects_[rows_[i].effects[kind]];
    effect.sum += left[i] + effect.value;
    effect.count += 1;
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (kind >= rows_[i].effects.size()) continue;
    const Effect& effect = effects_[rows_[i].effects[kind]];
    left[i] -= effect.sum / (effect.count + kShrinkage) - effect.value;
  }
  for (Effect& effect : effects_) {
    if (effect.count > 0) effect.value = effect.sum / (effect.count + kShrinkage);
  }
}

double Residual::Factor(const Config& config) const {
  double log = 0;
  for (const std::uint64_t key : KeysOf(config)) {
    const auto found = places_.find(key);
    if (found != places_.end()) log += effects_[found->second].value;
  }
  return std::exp(std::clamp(log, -kMostLog, kMostLog));
}

}  // namespace croq::search
