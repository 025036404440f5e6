#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/process/environment.h"

namespace croq::cli {

/// A child that says hello on descriptor 4 when it is ready.
struct HelloProbe {
  std::vector<std::string> argv;
  process::Environment environment;
  std::filesystem::path supervisor;
  std::chrono::milliseconds deadline{60'000};
};

/// Starts it, takes its first message and ends it. Error: it can't be started, died (with how, and
/// the last line it printed), stayed silent, or does not speak croq's protocol.
Result<nlohmann::json> AskHello(const HelloProbe& probe);

}  // namespace croq::cli
