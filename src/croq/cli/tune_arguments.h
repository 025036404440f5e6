#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"
#include "croq/cli/device_argument.h"
#include "croq/model/shape_key.h"
#include "croq/tune/brought/brought_file.h"
#include "croq/tune/session.h"

namespace CLI {
class App;
}

namespace croq::cli {

/// `croq tune`, as typed.
struct TuneArguments {
  std::vector<std::string> keys;
  std::string dsl = "triton";
  std::string device = "auto";
  std::string model = "croq";
  std::string out = ".";
  std::string strategy = "hybrid";
  std::string time;
  std::string rounds;
  std::string trials;
  std::string no_gain;
  std::string seed;
  std::string workers;
  std::string dims;
  std::string entry;
  std::string shape;
  bool widen = false;
  bool no_profile = false;
  bool json = false;
};

/// The same, checked: nothing was written yet.
struct TuneRequest {
  std::vector<ShapeKey> shapes;
  std::vector<std::filesystem::path> files;  ///< brought kernels
  tune::BroughtOptions brought;              ///< of every file
  DeviceArgument device;
  tune::Budget budget;
  std::optional<std::uint64_t> seed;
  int workers = 0;  ///< 0: one a core
};

void AddTuneArguments(CLI::App& app, TuneArguments& arguments);

/// Usage errors name the argument that is wrong and what it takes. Without any budget a run lasts
/// 60 seconds.
Result<TuneRequest> CheckTuneArguments(const TuneArguments& arguments);

/// Seconds of "90", "90s", "5m", "1h".
Result<double> ParseDuration(std::string_view text);

}  // namespace croq::cli
