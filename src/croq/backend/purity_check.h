#pragma once

#include <string>

#include "croq/backend/source_reader.h"
#include "croq/contract/contract.h"
#include "croq/source/purity.h"
#include "croq/tune/rule_check.h"

namespace croq::backend {

/// The purity rule on scripts, which a parse worker reads. A script that it refuses breaks the rule.
class PurityCheck : public tune::RuleCheck {
 public:
  /// `contract` outlives it.
  PurityCheck(SourceReader::Options options, const contract::Contract& contract)
      : reader_(std::move(options)), contract_(contract) {}

  Result<tune::RuleVerdict> Check(const std::string& name, const std::string& source,
                                  int iteration) override;

 private:
  SourceReader reader_;
  const contract::Contract& contract_;
};

/// The report on a file, whether it was parsed or refused.
source::PurityReport ReportOn(const ParsedFile& file, const contract::Contract& contract,
                              const source::PurityOptions& options);

}  // namespace croq::backend
