#pragma once

#include <cstdint>
#include <string>

#include "croq/base/result.h"
#include "croq/journal/attempt_files.h"
#include "croq/journal/records.h"
#include "croq/journal/sqlite.h"

/// Single writes to a store; the caller holds the transaction. `run` 0: outside any run.
namespace croq::journal {

Result<Statement> PrepareTrialInsert(const Database& database);
/// `insert` comes from PrepareTrialInsert, once for a batch.
Status InsertTrial(Statement& insert, std::int64_t run, const Trial& trial);

Status InsertOpenIteration(const Database& database, std::int64_t run, const OpenIteration& open,
                           std::int64_t now_millis);
/// Turns the open row of that number into the final one.
Status FinishIteration(const Database& database, std::int64_t run, const Iteration& iteration);
Status DeleteOpenIteration(const Database& database, int number);

Status InsertAttempt(const Database& database, std::int64_t run, const Attempt& attempt,
                     const AttemptMove& move);
Status InsertIdea(const Database& database, const Idea& idea);
Status PutProfile(const Database& database, const std::string& config, const std::string& profile,
                  std::int64_t now_millis);
Status PutFact(const Database& database, const std::string& key, const std::string& value,
               std::int64_t now_millis);

}  // namespace croq::journal
