#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/journal/records.h"
#include "croq/journal/sqlite.h"

namespace croq::journal {

/// Everything that can be read from a store. Sees committed rows only.
class Queries {
 public:
  explicit Queries(const Database* database) : database_(database) {}

  Result<SessionInfo> Session() const;
  Result<SessionSummary> Summary() const;

  /// Oldest first, `limit` rows from `offset`.
  Result<std::vector<Trial>> Trials(std::int64_t limit, std::int64_t offset = 0) const;
  Result<std::int64_t> TrialCount() const;
  /// Every configuration that was tried, oldest first; one tried again appears again.
  Result<std::vector<TriedConfig>> TriedConfigs() const;

  /// Committed iterations, by number.
  Result<std::vector<Iteration>> Iterations() const;
  /// Nothing where it does not exist or is not committed.
  Result<std::optional<Iteration>> FindIteration(int number) const;
  /// The best kernel so far: the last KEEP of iter001 and later.
  Result<std::optional<Iteration>> Best() const;
  Result<std::optional<OpenIteration>> Open() const;

  Result<std::vector<Attempt>> Attempts() const;
  Result<std::vector<Idea>> Ideas() const;
  /// JSON text of a configuration's newest profile, or nothing.
  Result<std::optional<std::string>> ProfileText(const std::string& config) const;

  /// JSON text of a fact, or nothing.
  Result<std::optional<std::string>> FactText(const std::string& key) const;
  Result<std::vector<FactRecord>> Facts() const;

  Result<std::optional<UnfinishedRun>> LastUnfinishedRun() const;

 private:
  const Database* database_;
};

}  // namespace croq::journal
