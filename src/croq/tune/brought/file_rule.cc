#include "croq/tune/brought/file_rule.h"

#include <fmt/format.h>

#include "croq/source/names.h"
#include "croq/source/purity.h"

namespace croq::tune {

std::string FirstRuleBroken(const source::SyntaxTree& tree, const contract::Contract& contract,
                            const std::string& entry) {
  const source::Names names(tree);
  source::PurityOptions options;
  options.iteration = 1;
  options.entries = {entry};
  const source::PurityReport report = source::CheckPurity(tree, names, contract, options);
  for (const source::Finding& finding : report.findings) {
    if (finding.level == source::Level::kReject) {
      return fmt::format("{} at line {}: {}", finding.code, finding.line, finding.message);
    }
  }
  return "";
}

}  // namespace croq::tune
