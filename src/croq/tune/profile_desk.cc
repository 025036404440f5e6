#include "croq/tune/profile_desk.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "croq/contract/scripts.h"

namespace croq::tune {
namespace {

// One failure may be the kernel's; two in a row are the machine's, and each costs seconds.
constexpr int kMostFailures = 2;
// A profile takes a few seconds; one that takes this long hangs.
constexpr double kDeadlineSeconds = 60;

double DeadlineIn(double seconds_left) {
  return seconds_left < 0 ? kDeadlineSeconds : std::min(kDeadlineSeconds, seconds_left);
}

}  // namespace

double ProfileDesk::SecondsEach() const {
  const bool counts = settings_.counters != nullptr && failures_ < kMostFailures;
  return counts ? seconds_each_ : 0;
}

bool ProfileDesk::CanCount(double seconds_left) const {
  return settings_.counters != nullptr && failures_ < kMostFailures &&
         (seconds_left < 0 || seconds_left >= seconds_each_);
}

Result<std::optional<profile::KernelProfile>> ProfileDesk::Stored(const std::string& config) const {
  CROQ_ASSIGN(const std::optional<std::string> text, session_.journal.read().ProfileText(config));
  if (!text) return std::nullopt;
  const Result<profile::KernelProfile> read = profile::KernelProfileFromJson(*text);
  // A profile can be taken again; a damaged one is no reason to stop.
  return read ? std::optional(*read) : std::nullopt;
}

std::string ProfileDesk::WhyStatic(double seconds_left) const {
  if (settings_.counters == nullptr) return settings_.no_counters;
  if (failures_ >= kMostFailures) return "the profiler failed before";
  return seconds_left < seconds_each_ ? "no time was left for the profiler" : "";
}

ProfileDesk::Taken ProfileDesk::Take(const Candidate& candidate, const ProfileNeed& need,
                                     const profile::BaseFacts& facts) {
  Taken taken;
  if (CanCount(need.seconds_left)) {
    Progress progress;
    progress.phase = "profiling " + candidate.tag;
    session_.observer.OnProgress(progress);
    const SteadyTime start = std::chrono::steady_clock::now();
    Result<profile::KernelProfile> counted = settings_.counters->Profile(
        candidate, {DeadlineIn(need.seconds_left), need.iteration});
    taken.seconds = SecondsSince(start);
    if (counted) {
      failures_ = 0;
      seconds_each_ = taken.seconds;
      profile::AddBaseFigures(*counted, facts);
      taken.profile = *std::move(counted);
      return taken;
    }
    ++failures_;
    taken.reason = counted.error().message;
    session_.observer.OnEvent(
        "warning", {{"message", "no counters, so this profile is static: " + taken.reason}});
  } else {
    taken.reason = WhyStatic(need.seconds_left);
  }
  taken.profile = profile::StaticProfile(facts, session_.evaluator.Predicted());
  return taken;
}

Result<std::optional<profile::KernelProfile>> ProfileDesk::Known(const std::string& config,
                                                                 double seconds_left) {
  auto found = known_.find(config);
  if (found == known_.end()) {
    CROQ_ASSIGN(std::optional<profile::KernelProfile> stored, Stored(config));
    if (!stored) return std::nullopt;
    found = known_.emplace(config, *std::move(stored)).first;
  }
  if (found->second.is_static && CanCount(seconds_left)) return std::nullopt;
  return found->second;
}

Result<profile::KernelProfile> ProfileDesk::Of(const Candidate& candidate,
                                               const ProfileNeed& need) {
  const std::string config = candidate.config.Text();
  CROQ_ASSIGN(std::optional<profile::KernelProfile> known, Known(config, need.seconds_left));
  if (known) return *std::move(known);
  const double floor_ms = settings_.FloorMillis(session_.device, session_.shape, need.clock_mhz);
  const profile::BaseFacts facts{session_.shape,   session_.device, candidate.config,
                                 candidate.build, need.cold_ms,    floor_ms};
  Taken taken = Take(candidate, need, facts);
  taken.profile.candidate = contract::FirstKernelOf(candidate.plan);
  CROQ_TRY(session_.journal.SetProfile(config, profile::ToJson(taken.profile)));
  Report(config, taken);
  known_.insert_or_assign(config, taken.profile);
  return taken.profile;
}

Result<nlohmann::json> ProfileDesk::BaselineJson(double seconds_left) {
  const std::string config(session_.shape.LibraryCall());
  CROQ_ASSIGN(const std::optional<profile::KernelProfile> known, Known(config, seconds_left));
  if (known) return profile::ToJson(*known);
  if (!CanCount(seconds_left))
    return nlohmann::json{{"problem", "no counters, or no time to read them"}};
  const SteadyTime start = std::chrono::steady_clock::now();
  Result<profile::KernelProfile> counted =
      settings_.counters->ProfileBaseline(DeadlineIn(seconds_left));
  if (!counted) return nlohmann::json{{"problem", counted.error().message}};
  const Taken taken{*std::move(counted), "", SecondsSince(start)};
  known_.insert_or_assign(config, taken.profile);
  nlohmann::json json = profile::ToJson(taken.profile);
  CROQ_TRY(session_.journal.SetProfile(config, json));
  Report(config, taken);
  return json;
}

void ProfileDesk::Report(const std::string& config, const Taken& taken) {
  nlohmann::json event = profile::ToJson(taken.profile);
  event["config"] = config;
  event["seconds"] = taken.seconds;
  if (!taken.reason.empty()) event["reason"] = taken.reason;
  session_.observer.OnEvent("profile", event);
}

}  // namespace croq::tune
