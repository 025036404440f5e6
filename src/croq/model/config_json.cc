#include "croq/model/config_json.h"

#include <nlohmann/json.hpp>

namespace croq {

void to_json(nlohmann::json& json, const Config& config) {
  json = nlohmann::json::object();
  json["variant"] = config.variant;
  for (const auto& [lever, value] : config.values) {
    std::visit([&json, &name = lever](const auto& plain) { json[name] = plain; }, value);
  }
}

}  // namespace croq
