#pragma once

#include <map>
#include <string>

#include "croq/tune/idea_settings.h"
#include "croq/tune/session.h"

namespace croq::tune {

/// Profiles of this session's kernels: read from the journal, taken from counters while there is
/// time, static otherwise. What is taken is stored and reported (event `profile`).
class ProfileDesk {
 public:
  ProfileDesk(Session& session, const IdeaSettings& settings)
      : session_(session), settings_(settings) {}

  /// `cold_ms`: 0 where it is not known. `clock_mhz`: of the SMs while it was timed. With
  /// `seconds_left` too short for ncu (below 0: no limit) the profile is static.
  Result<profile::KernelProfile> Of(const Candidate& candidate, double cold_ms, int clock_mhz,
                                    double seconds_left);
  /// What one profile takes: measured, first a guess; 0 without counters.
  double SecondsEach() const;

 private:
  Result<std::optional<profile::KernelProfile>> Stored(const std::string& config) const;
  profile::KernelProfile Take(const Candidate& candidate, double cold_ms, double seconds_left,
                              const profile::BaseFacts& facts);
  void Report(const std::string& config, const profile::KernelProfile& profile);

  Session& session_;
  const IdeaSettings& settings_;
  std::map<std::string, profile::KernelProfile> known_;
  double seconds_each_ = 8;
  bool told_ = false;
};

}  // namespace croq::tune
