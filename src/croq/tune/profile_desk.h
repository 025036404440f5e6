#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "croq/tune/idea_settings.h"
#include "croq/tune/session.h"

namespace croq::tune {

struct ProfileNeed {
  double cold_ms = 0;        ///< 0: not known
  int clock_mhz = 0;         ///< of the SMs while it was timed; 0: not known
  double seconds_left = -1;  ///< too few for ncu: the profile is static. Below 0: no limit
  int iteration = -1;        ///< that the kernel is; below 0: none
};

/// Profiles of this session's kernels: read from the journal, taken from counters while there is
/// time, static otherwise. What is taken is stored and reported (event `profile`).
class ProfileDesk {
 public:
  ProfileDesk(Session& session, const IdeaSettings& settings)
      : session_(session), settings_(settings) {}

  Result<profile::KernelProfile> Of(const Candidate& candidate, const ProfileNeed& need);
  /// The profile that Of would return without taking one; nothing where it would take one.
  Result<std::optional<profile::KernelProfile>> Known(const std::string& config,
                                                      double seconds_left);
  /// The baseline kernel's profile as JSON, taken once, or {"problem": why there is none}.
  Result<nlohmann::json> BaselineJson(double seconds_left);
  /// What one profile takes: measured, first a guess; 0 without counters.
  double SecondsEach() const;

 private:
  /// There are counters, they did not fail again and again, and there is time.
  bool CanCount(double seconds_left) const;
  Result<std::optional<profile::KernelProfile>> Stored(const std::string& config) const;
  struct Taken {
    profile::KernelProfile profile;
    std::string reason;  ///< why no counter was read; empty where some were
    double seconds = 0;
  };

  Taken Take(const Candidate& candidate, const ProfileNeed& need,
             const profile::BaseFacts& facts);
  std::string WhyStatic(double seconds_left) const;
  void Report(const std::string& config, const Taken& taken);

  Session& session_;
  const IdeaSettings& settings_;
  std::map<std::string, profile::KernelProfile> known_;
  double seconds_each_ = 8;
  int failures_ = 0;   ///< in a row
};

}  // namespace croq::tune
