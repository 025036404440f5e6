#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace croq::protocol {

/// One message of every kind, as it stands in tests/golden/protocol/<name>.json.
struct Sample {
  std::string name;
  nlohmann::json message;
  /// Decodes the JSON into the struct and encodes it again; {"decode_error": ...} where it fails.
  nlohmann::json (*again)(const nlohmann::json&);
};

std::vector<Sample> AllSamples();

}  // namespace croq::protocol
