#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "croq/model/config.h"
#include "croq/model/outcome.h"
#include "croq/model/search_space.h"

namespace croq::search {

/// Chooses which configurations to try. Proposals may be asked for before earlier ones were
/// observed. Nothing is proposed twice. One thread at a time; for one seed and one sequence of
/// calls the proposals are the same.
class Strategy {
 public:
  virtual ~Strategy() = default;

  virtual std::string_view Name() const = 0;

  /// The next configuration to build, one that the space does not reject; nothing when the space
  /// holds no more.
  virtual std::optional<Config> Propose() = 0;

  /// What became of a configuration. `time_ms` counts where the outcome is kCorrect. Also takes
  /// what was learnt elsewhere (an earlier run of the session): such a configuration is not
  /// proposed any more. A later observation of the same configuration replaces the earlier.
  virtual void Observe(const Config& config, Outcome outcome, double time_ms) = 0;
};

/// Told of each configuration that a strategy chose for a reason and the space rejected, once, with
/// the reason for that, so that it can be recorded (outcome `constraints`).
using RejectionCallback = std::function<void(const Config&, const std::string& reason)>;

/// Predicted time in ms of a configuration that was not built yet.
using Predictor = std::function<double(const Config&)>;

struct StrategyOptions {
  SearchSpace space;
  std::uint64_t seed = 0;
  RejectionCallback on_rejected = {};  ///< may be empty
  std::vector<Config> shortlist = {};  ///< proposed first, in this order (hybrid)
  Predictor predict = {};              ///< may be empty (hybrid)
};

inline constexpr std::array<std::string_view, 4> kStrategies{"hybrid", "random", "exhaustive",
                                                              "evolutionary"};

bool IsStrategy(std::string_view name);

/// One of kStrategies, `hybrid` being the default of croq tune; null for another name.
std::unique_ptr<Strategy> MakeStrategy(std::string_view name, StrategyOptions options);

}  // namespace croq::search
