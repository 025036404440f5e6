#include "croq/tune/profile_desk.h"

#include <nlohmann/json.hpp>

#include "croq/profile/floor.h"

namespace croq::tune {

double ProfileDesk::SecondsEach() const {
  return settings_.counters == nullptr ? 0 : seconds_each_;
}

Result<std::optional<profile::KernelProfile>> ProfileDesk::Stored(const std::string& config) const {
  CROQ_ASSIGN(const std::optional<std::string> text, session_.journal.read().ProfileText(config));
  if (!text) return std::nullopt;
  const Result<profile::KernelProfile> read = profile::KernelProfileFromJson(*text);
  // A profile can be taken again; a damaged one is no reason to stop.
  return read ? std::optional(*read) : std::nullopt;
}

profile::KernelProfile ProfileDesk::Take(const Candidate& candidate, double cold_ms,
                                         double seconds_left, const profile::BaseFacts& facts) {
  const bool in_time = seconds_left < 0 || seconds_left >= seconds_each_;
  if (settings_.counters != nullptr && in_time) {
    const SteadyTime start = std::chrono::steady_clock::now();
    Result<profile::KernelProfile> counted = settings_.counters->Profile(candidate, cold_ms);
    if (counted) {
      seconds_each_ = SecondsSince(start);
      profile::AddBaseFigures(*counted, facts);
      return *std::move(counted);
    }
    if (!told_) {
      session_.observer.OnEvent("warning", {{"message", "no counters, so profiles are static: " +
                                                            counted.error().message}});
    }
    told_ = true;
  }
  return profile::StaticProfile(facts, session_.evaluator.Predicted());
}

Result<profile::KernelProfile> ProfileDesk::Of(const Candidate& candidate, double cold_ms,
                                               int clock_mhz, double seconds_left) {
  const std::string config = candidate.config.Text();
  auto found = known_.find(config);
  if (found == known_.end()) {
    CROQ_ASSIGN(std::optional<profile::KernelProfile> stored, Stored(config));
    if (stored) found = known_.emplace(config, *std::move(stored)).first;
  }
  const bool again = found != known_.end() && found->second.is_static &&
                     settings_.counters != nullptr && !told_ &&
                     (seconds_left < 0 || seconds_left >= seconds_each_);
  if (found != known_.end() && !again) return found->second;
  const double floor_ms = profile::FloorMillis(session_.device, session_.shape, clock_mhz);
  const profile::BaseFacts facts{session_.shape,   session_.device, candidate.config,
                                 candidate.build, cold_ms,         floor_ms};
  profile::KernelProfile profile = Take(candidate, cold_ms, seconds_left, facts);
  CROQ_TRY(session_.journal.SetProfile(config, profile::ToJson(profile)));
  Report(config, profile);
  known_.insert_or_assign(config, profile);
  return profile;
}

void ProfileDesk::Report(const std::string& config, const profile::KernelProfile& profile) {
  nlohmann::json event = profile::ToJson(profile);
  event["config"] = config;
  session_.observer.OnEvent("profile", event);
}

}  // namespace croq::tune
