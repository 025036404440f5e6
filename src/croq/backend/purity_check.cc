#include "croq/backend/purity_check.h"

#include <fmt/format.h>

#include "croq/source/names.h"

namespace croq::backend {

source::PurityReport ReportOn(const ParsedFile& file, const contract::Contract& contract,
                              const source::PurityOptions& options) {
  if (!file.tree) return source::Unparsed(file.message, file.line, file.column);
  const source::Names names(*file.tree);
  return source::CheckPurity(*file.tree, names, contract, options);
}

Result<tune::RuleVerdict> PurityCheck::Check(const std::string& name, const std::string& source,
                                             int iteration) {
  CROQ_ASSIGN(const ParsedFile file, reader_.ReadBytes(name, source));
  source::PurityOptions options;
  options.iteration = iteration;
  const source::PurityReport report = ReportOn(file, contract_, options);
  tune::RuleVerdict verdict;
  verdict.accepted = report.accepted();
  for (const source::Finding& finding : report.findings) {
    verdict.log += source::FindingLine(name, finding) + "\n";
    if (!finding.chain.empty())
      verdict.log += fmt::format("    in {}\n", source::ChainText(finding));
    verdict.log += fmt::format("    mend: {}\n", finding.mend);
    const std::string line =
        fmt::format("{} at line {}: {}", finding.code, finding.line, finding.message);
    if (finding.level == source::Level::kSuspect) verdict.suspicions.push_back(line);
    if (finding.level == source::Level::kReject && verdict.reason.empty()) verdict.reason = line;
  }
  return verdict;
}

}  // namespace croq::backend
