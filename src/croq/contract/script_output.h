#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "croq/base/result.h"
#include "croq/contract/contract.h"

/// The lines that a kernel script prints: written and read as the contract words them.
namespace croq::contract {

struct PrintedTiming {
  double tflops = 0;
  double time_ms = 0;
};

/// What a script's verify() said.
struct PrintedVerdict {
  bool passed = false;
  double max_abs_err = 0;  ///< where it failed
};

/// `TFLOPS: 612.34   time_ms: 0.224`. Usage error where the contract's format can't be applied.
Result<std::string> FormatTiming(const Bench& bench, const PrintedTiming& timing);

/// The last such line of a script's output; nothing where there is none.
std::optional<PrintedTiming> ParseTiming(const Bench& bench, std::string_view output);

/// The last verdict in a script's output; nothing where it printed none.
std::optional<PrintedVerdict> ParseVerdict(const Verify& verify, std::string_view output);

}  // namespace croq::contract
