#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "croq/contract/contract.h"
#include "croq/contract/script_output.h"

namespace croq::tune {

/// What a contract script printed: data to compare with what croq measured, never a verdict.
struct ScriptOutput {
  std::optional<contract::PrintedVerdict> verdict;
  std::optional<contract::PrintedTiming> timing;
  std::vector<std::string> kernels;  ///< of `KERNELS: <name>[, <name>]`, which iter000 prints
};

ScriptOutput ReadScriptOutput(const contract::Contract& contract, std::string_view text);

}  // namespace croq::tune
