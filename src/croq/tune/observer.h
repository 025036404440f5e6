#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace croq::tune {

/// Where a session stands, for the live line.
struct Progress {
  std::string phase;             ///< "preparing", "screening", "duel", "writing iter003", ...
  std::int64_t trials = 0;       ///< of this run
  double trials_per_second = 0;  ///< of the current round; 0 in its first second
  std::string best;              ///< configuration text of the best so far; empty: none yet
  double best_tflops = 0;        ///< cold regime, or predicted
  double share_of_cublas = 0;    ///< cold medians of one run; 0: no baseline
  double seconds_left = -1;      ///< of the time budget; below 0: no such budget
  bool predicted = false;
};

/// Told what happens while a session runs. Event types and fields: docs/events.md.
class Observer {
 public:
  virtual ~Observer() = default;

  /// Called often; cheap. Implementations limit how often they draw.
  virtual void OnProgress(const Progress& progress) = 0;
  virtual void OnEvent(const std::string& type, const nlohmann::json& fields) = 0;
};

}  // namespace croq::tune
