#include "croq/cli/session_device.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace croq::cli {

Result<DeviceFacts> SessionDevice(const journal::Queries& read) {
  CROQ_ASSIGN(DeviceFacts device, OfflineDevice(90));
  CROQ_ASSIGN(const std::optional<std::string> fact, read.FactText("device"));
  if (!fact) return device;
  const nlohmann::json known = nlohmann::json::parse(*fact, nullptr, false);
  if (known.is_object() && known.contains("sm_count") && known["sm_count"].is_number_integer()) {
    device.sm_count = known["sm_count"].get<int>();
  }
  return device;
}

}  // namespace croq::cli
