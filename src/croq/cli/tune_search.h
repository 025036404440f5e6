#pragma once

#include <string>
#include <utility>
#include <vector>

#include "croq/model/config.h"
#include "croq/model/device.h"
#include "croq/model/session_paths.h"
#include "croq/model/shape_key.h"
#include "croq/process/environment.h"
#include "croq/search/strategy.h"
#include "croq/tune/screening.h"

namespace croq::cli {

/// Takes rejected configurations from the strategy to the journal. What comes before the screening
/// exists is kept until it does.
class RejectionSink {
 public:
  void ConnectTo(tune::Screening& screening);
  void Add(const Config& config, const std::string& reason);

 private:
  tune::Screening* screening_ = nullptr;
  std::vector<std::pair<Config, std::string>> early_;
};

/// The cost model as the strategies take it.
search::Predictor MakePredictor(const ShapeKey& shape, const DeviceFacts& device);

/// The fastest predicted configurations of an offline session for the same shape and model below
/// the same --out; empty where there is none.
std::vector<Config> OfflineShortlist(const SessionPaths& paths, int compute_capability);

/// Makes CUDA device 0 of a child the `ordinal`-th that this process sees.
void SelectDevice(int ordinal, process::Environment& environment);

}  // namespace croq::cli
