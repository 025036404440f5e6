#include "croq/cli/tune_search.h"

#include <algorithm>
#include <set>

#include "croq/journal/reader.h"
#include "croq/search/cost_model.h"

namespace croq::cli {
namespace {

// About what a compile pool builds in the first second: a shortlist, not the whole ranking.
constexpr std::size_t kShortlist = 24;

}  // namespace

void RejectionSink::ConnectTo(tune::Screening& screening) {
  screening_ = &screening;
  for (const auto& [config, reason] : early_) screening.RecordConstraint(config, reason);
  early_.clear();
}

void RejectionSink::Add(const Config& config, const std::string& reason) {
  if (screening_ == nullptr) {
    early_.emplace_back(config, reason);
  } else {
    screening_->RecordConstraint(config, reason);
  }
}

search::Predictor MakePredictor(const ShapeKey& shape, const DeviceFacts& device) {
  return [shape, device](const Config& config) {
    return search::PredictMillis(shape, device, config);
  };
}

std::vector<Config> OfflineShortlist(const SessionPaths& paths, int compute_capability) {
  SessionPaths offline = paths;
  const Result<DeviceFacts> device = OfflineDevice(compute_capability);
  if (!device) return {};
  offline.gpu_key = device->key;
  std::error_code ignored;
  if (!std::filesystem::exists(offline.Journal(), ignored)) return {};
  const Result<journal::JournalReader> reader = journal::JournalReader::Open(offline);
  if (!reader) return {};
  Result<std::vector<journal::TriedConfig>> tried = reader->read().TriedConfigs();
  if (!tried) return {};
  std::erase_if(*tried, [](const auto& one) { return one.outcome != Outcome::kCorrect; });
  std::stable_sort(tried->begin(), tried->end(),
                   [](const auto& a, const auto& b) { return a.time_ms < b.time_ms; });
  std::vector<Config> shortlist;
  std::set<std::string> seen;
  for (const journal::TriedConfig& one : *tried) {
    if (shortlist.size() == kShortlist) break;
    Result<Config> config = ParseConfig(one.config);
    if (config && seen.insert(one.config).second) shortlist.push_back(std::move(*config));
  }
  return shortlist;
}

void SelectDevice(int ordinal, process::Environment& environment) {
  const std::string name = "CUDA_VISIBLE_DEVICES";
  const auto visible = environment.find(name);
  if (visible == environment.end() || visible->second.empty()) {
    environment[name] = std::to_string(ordinal);
    return;
  }
  std::string rest = visible->second;
  for (int skip = 0; skip < ordinal && !rest.empty(); ++skip) {
    const std::size_t comma = rest.find(',');
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
  }
  environment[name] = rest.substr(0, rest.find(','));
}

}  // namespace croq::cli
