#include "croq/tune/script_output.h"

namespace croq::tune {
namespace {

constexpr std::string_view kKernelsLabel = "KERNELS: ";

/// The text after the last line that starts with `label`, or nothing.
std::string_view LastLineAfter(std::string_view text, std::string_view label) {
  std::string_view found;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (line.starts_with(label)) found = line.substr(label.size());
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return found;
}

std::vector<std::string> SplitNames(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t end = text.find(", ");
    names.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
  }
  return names;
}

}  // namespace

ScriptOutput ReadScriptOutput(const contract::Contract& contract, std::string_view text) {
  ScriptOutput output;
  output.verdict = contract::ParseVerdict(contract.verify, text);
  output.timing = contract::ParseTiming(contract.bench, text);
  output.kernels = SplitNames(LastLineAfter(text, kKernelsLabel));
  return output;
}

}  // namespace croq::tune
