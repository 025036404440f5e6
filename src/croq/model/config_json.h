#pragma once

#include <nlohmann/json_fwd.hpp>

#include "croq/model/config.h"

namespace croq {

/// {"variant": "tiled", "BLOCK_M": 128, ...}
void to_json(nlohmann::json& json, const Config& config);

}  // namespace croq
