#include "croq/source/outline_warnings.h"

#include <algorithm>
#include <tuple>

namespace croq::source {

void Warn(Outline& outline, std::string code, const Node& at, std::string kernel,
          std::string message) {
  outline.warnings.push_back({std::move(code), at.span.line, at.span.column, std::move(kernel),
                              std::move(message)});
}

void AddWarnings(const WarningInput& input, Outline& outline) {
  WarnOfTuning(input, outline);
  WarnOfInPlace(input, outline);
  WarnOfGrids(input, outline);
  WarnOfImport(input, outline);
  WarnOfOverflow(input, outline);
  auto& warnings = outline.warnings;
  const auto key = [](const Warning& one) {
    return std::tie(one.line, one.column, one.code, one.message);
  };
  std::stable_sort(warnings.begin(), warnings.end(), [&](const Warning& one, const Warning& other) {
    return key(one) < key(other);
  });
  // A list of configs that several kernels share is warned of once.
  warnings.erase(std::unique(warnings.begin(), warnings.end(),
                             [&](const Warning& one, const Warning& other) {
                               return key(one) == key(other);
                             }),
                 warnings.end());
}

}  // namespace croq::source
