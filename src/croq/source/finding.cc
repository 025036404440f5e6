#include "croq/source/finding.h"

#include <fmt/format.h>

#include <algorithm>

namespace croq::source {

std::string_view NameOf(Level level) {
  switch (level) {
    case Level::kReject:
      return "reject";
    case Level::kSuspect:
      return "suspect";
    case Level::kNote:
      break;
  }
  return "note";
}

Level CodeFacts::level() const {
  return code.starts_with('E')   ? Level::kReject
         : code.starts_with('S') ? Level::kSuspect
                                 : Level::kNote;
}

const CodeFacts* FindCode(std::string_view code) {
  const std::span<const CodeFacts> codes = FindingCodes();
  const auto found = std::ranges::find(codes, code, &CodeFacts::code);
  return found == codes.end() ? nullptr : &*found;
}

std::string ChainText(const Finding& finding) {
  std::string text;
  for (const ChainStep& step : finding.chain) {
    text += text.empty() ? "" : " \u2192 ";
    text += step.name;
  }
  return text;
}

std::string FindingLine(const std::string& path, const Finding& finding) {
  return fmt::format("{}:{}:{}: {} {}: {}", path, finding.line, finding.column + 1,
                     NameOf(finding.level), finding.code, finding.message);
}

}  // namespace croq::source
