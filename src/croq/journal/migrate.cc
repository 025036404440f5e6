#include "croq/journal/migrate.h"

#include <fmt/format.h>

#include <algorithm>

namespace croq::journal {

const std::vector<Migration>& Migrations() {
  static const std::vector<Migration> kMigrations{
      {1, "ALTER TABLE ideas ADD COLUMN round INTEGER NOT NULL DEFAULT 0;"
          "ALTER TABLE ideas ADD COLUMN idea_id TEXT NOT NULL DEFAULT '';"
          "ALTER TABLE ideas ADD COLUMN base TEXT NOT NULL DEFAULT '';"
          "ALTER TABLE ideas ADD COLUMN expected_gain REAL;"
          "ALTER TABLE ideas ADD COLUMN actual_gain REAL;"
          "ALTER TABLE ideas ADD COLUMN counters TEXT NOT NULL DEFAULT '[]';"
          "ALTER TABLE ideas ADD COLUMN rules TEXT NOT NULL DEFAULT '{}';"
          "CREATE TABLE profiles (config TEXT PRIMARY KEY, profile TEXT NOT NULL,"
          " at INTEGER NOT NULL) STRICT"}};
  return kMigrations;
}

Status Migrate(const Database& database, int target, const std::vector<Migration>& migrations) {
  CROQ_ASSIGN(const std::int64_t stored, database.QueryInt("PRAGMA user_version"));
  if (stored == target) return {};
  if (stored > target) {
    return Failure(fmt::format("the store has version {}, this croq knows up to {}: use a newer "
                               "croq, or another --out", stored, target));
  }
  CROQ_ASSIGN(Transaction transaction, Transaction::Begin(database));
  for (int version = static_cast<int>(stored); version < target; ++version) {
    const auto step = std::find_if(migrations.begin(), migrations.end(),
                                   [&](const Migration& one) { return one.from == version; });
    if (step == migrations.end()) {
      return Failure(fmt::format("the store has version {}, and no step leads from {} to {}: use "
                                 "the croq that wrote it, or another --out",
                                 stored, version, version + 1));
    }
    CROQ_TRY(database.Execute(step->sql));
  }
  CROQ_TRY(database.Execute(fmt::format("PRAGMA user_version = {}", target)));
  return transaction.Commit();
}

}  // namespace croq::journal
