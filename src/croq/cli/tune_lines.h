#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace croq::cli {

/// The line a person reads for an event of `croq tune`, or an empty string for events that only
/// machines read (every single trial).
std::string FormatEvent(const std::string& type, const nlohmann::json& fields);

}  // namespace croq::cli
