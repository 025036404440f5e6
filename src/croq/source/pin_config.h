#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "croq/base/result.h"
#include "croq/model/config.h"

namespace croq::source {

/// A configuration to be written into a file: what a triton.Config holds.
struct PinConfig {
  /// Arguments of the kernel by name, in order; the value as Python text (`128`, `True`,
  /// `tl.float16`).
  std::vector<std::pair<std::string, std::string>> constants;
  /// Launch options; those that are not given have triton.Config's defaults (num_warps=4,
  /// num_stages=3, num_ctas=1, no maxnreg).
  std::vector<std::pair<std::string, std::string>> options;
  /// What was asked for and is left out, and why: backend keywords that an NVIDIA GPU has no use
  /// for, keywords of other Triton releases.
  std::vector<std::string> dropped;

  /// The value of a constant or option as Python text; empty where it has none.
  std::string_view Value(std::string_view name) const;
};

/// The configuration of each kernel, by name; "" stands for the one kernel that is meant.
using PinConfigs = std::map<std::string, PinConfig>;

/// What kind of name a configuration's key is.
enum class KeyKind {
  kConstant,
  kOption,   ///< num_warps, num_stages, num_ctas, maxnreg, enable_fp_fusion, launch_pdl...
  kForeign,  ///< of another backend, or of a Triton release that is gone
  kRefused,  ///< ir_override: the code would no longer be the file's
};
KeyKind KindOfKey(std::string_view name);

/// Adds one value under its kind. Usage error for kRefused, and for a name that is there already.
Status AddValue(PinConfig& config, const std::string& name, std::string value);

/// Reads `BLOCK_M=128,num_warps=8,ACT="relu",FAST=True`. `kernel.BLOCK_M=128` is of that kernel.
/// Values: numbers, True, False, None, texts in quotes, dotted names (tl.float16); a bare word is
/// taken for a text. Usage error that shows the part that is not understood.
Result<PinConfigs> ParsePinConfigs(std::string_view text);

/// The levers of a session's configuration: numbers and words; `kernel.LEVER` as above.
Result<PinConfigs> PinConfigsOf(const Config& config);

/// `BLOCK_M=128, BLOCK_N=64, num_warps=8, num_stages=3`: the keyword arguments of a launch.
/// num_ctas=1 is left out: it is the compiler's default, as it is triton.Config's; `with_ctas` puts
/// it in, for a kernel or a hook that reads it.
std::string LaunchKeywords(const PinConfig& config, bool with_ctas);

/// Every name and value that an autotuned launch passes: the constants in order, then num_warps,
/// num_ctas, num_stages, then other options.
std::vector<std::pair<std::string, std::string>> AllValues(const PinConfig& config);

}  // namespace croq::source
