#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "croq/tune/observer.h"

namespace croq::testing {

/// Keeps everything it is told.
class RecordingObserver : public tune::Observer {
 public:
  void OnProgress(const tune::Progress& told) override { progress.push_back(told); }
  void OnEvent(const std::string& type, const nlohmann::json& fields) override {
    events.emplace_back(type, fields);
  }

  std::vector<nlohmann::json> Of(const std::string& type) const {
    std::vector<nlohmann::json> found;
    for (const auto& [name, fields] : events) {
      if (name == type)
        found.push_back(fields);
    }
    return found;
  }

  /// The messages of `warning` or `note` events, each on a line.
  std::string Messages(const std::string& type) const {
    std::string text;
    for (const nlohmann::json& fields : Of(type)) {
      text += fields.at("message").get<std::string>() + "\n";
    }
    return text;
  }

  std::vector<std::pair<std::string, nlohmann::json>> events;
  std::vector<tune::Progress> progress;
};

}  // namespace croq::testing
