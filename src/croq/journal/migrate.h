#pragma once

#include <string>
#include <vector>

#include "croq/base/result.h"
#include "croq/journal/sqlite.h"

namespace croq::journal {

/// Brings a store from version `from` to `from + 1`.
struct Migration {
  int from = 0;
  std::string sql;
};

/// The steps from every older layout to the newest. A change of schema.sql adds one here, raises
/// kSchemaVersion, and gets a test with a store of the old version.
const std::vector<Migration>& Migrations();

/// Applies the steps that lead from the store's `user_version` to `target`, all or none. A store
/// that is newer than `target`, or older than any step knows, is an error and stays as it is.
Status Migrate(const Database& database, int target, const std::vector<Migration>& migrations);

}  // namespace croq::journal
