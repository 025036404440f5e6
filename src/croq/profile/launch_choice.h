#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "croq/base/result.h"
#include "croq/profile/export.h"

namespace croq::profile {

/// Which launch of a file is looked at, and out of how many.
struct LaunchChoice {
  std::size_t launch = 0;    ///< index into Export::launches
  std::size_t launches = 1;  ///< of the kernel
  std::string how;           ///< `the only launch`, `the median of 3 by duration`
};

/// Picks the kernel by name: the whole printed name, else the function's base name, else the base
/// name with Triton 2's suffix; `regex:` searches. Of several launches the median by duration is
/// taken (the lower one of two), the last where a duration is missing. Usage errors that list the
/// names there are: none fits, several kernels fit, or no name where there are several.
Result<LaunchChoice> ChooseLaunch(const Export& exported, std::optional<std::string_view> name,
                                  std::string_view file);

}  // namespace croq::profile
