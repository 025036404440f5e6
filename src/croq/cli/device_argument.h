#pragma once

#include <string>
#include <string_view>

#include "croq/base/result.h"

namespace croq::cli {

/// What --device asks for.
struct DeviceArgument {
  enum class Kind {
    kAuto,     ///< a GPU if there is one, else offline
    kCuda,     ///< cuda:N
    kOffline,  ///< offline:sm90: no GPU is used, figures are predicted
    kReplay,   ///< replay:FILE: no GPU and no compiler, times come from a recording
  };
  Kind kind = Kind::kAuto;
  std::string text = "auto";   ///< as it was given
  int ordinal = 0;             ///< of cuda:N
  int compute_capability = 0;  ///< of offline:smXX, 90 for sm90
  std::string recording;       ///< the file of replay:FILE
};

/// The offline device that `auto` falls back to.
inline constexpr std::string_view kDefaultOffline = "offline:sm90";

/// Usage error that lists the forms there are. `replay`: replay:FILE is one of them.
Result<DeviceArgument> ParseDevice(std::string_view text, bool replay = false);

}  // namespace croq::cli
