#include "croq/journal/sqlite.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "croq/journal/migrate.h"
#include "croq/journal/schema.h"
#include "croq/journal/store.h"
#include "unit/journal/journal_fixture.h"

namespace croq::journal {
namespace {

using ::testing::HasSubstr;

class SqliteTest : public testing::Test {
 protected:
  Result<Database> Open() {
    return Database::Open(folder_.path() / "a b?#%.db", Database::Mode::kCreate);
  }
  TempFolder folder_;
};

TEST_F(SqliteTest, BindsAndReadsEveryKind) {
  const auto database = Open();
  ASSERT_TRUE(database->Execute("CREATE TABLE t (i INTEGER, r REAL, n REAL, s TEXT) STRICT"));
  const std::string text("a\0b\n\xff", 5);
  auto insert = database->Prepare("INSERT INTO t VALUES (?, ?, ?, ?)");
  insert->Bind(std::numeric_limits<std::int64_t>::min()).Bind(0.1);
  insert->Bind(std::nan("")).Bind(text);
  ASSERT_TRUE(insert->Run());
  insert->Bind(1).Bind(1.0).Bind(1.0).Bind(std::string_view());
  ASSERT_TRUE(insert->Run()) << "a statement is used again";
  auto rows = database->Prepare("SELECT i, r, n, s FROM t");
  ASSERT_TRUE(*rows->Step());
  EXPECT_EQ(rows->Int(0), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(rows->Real(1), 0.1);
  EXPECT_TRUE(std::isnan(rows->Real(2)));
  EXPECT_EQ(rows->Text(3), text);
  ASSERT_TRUE(*rows->Step());
  EXPECT_EQ(rows->Text(3), "");
  EXPECT_FALSE(*rows->Step());
}

TEST_F(SqliteTest, ErrorsNameTheFile) {
  const auto database = Open();
  EXPECT_THAT(database->Prepare("SELEC").error().message, HasSubstr("a b?#%.db"));
  auto insert = database->Prepare("SELECT ?");
  insert->Bind(1).Bind(2);
  EXPECT_FALSE(insert->Step()) << "one parameter too many";
}

TEST_F(SqliteTest, ATransactionThatIsNotCommittedLeavesNothing) {
  const auto database = Open();
  ASSERT_TRUE(database->Execute("CREATE TABLE t (i INTEGER)"));
  {
    const auto transaction = Transaction::Begin(*database);
    ASSERT_TRUE(database->Execute("INSERT INTO t VALUES (1)"));
  }
  EXPECT_EQ(database->QueryInt("SELECT count(*) FROM t"), 0);
  auto transaction = Transaction::Begin(*database);
  ASSERT_TRUE(database->Execute("INSERT INTO t VALUES (1)"));
  ASSERT_TRUE(transaction->Commit());
  EXPECT_EQ(database->QueryInt("SELECT count(*) FROM t"), 1);
}

TEST_F(SqliteTest, MigratesStepByStepOrNotAtAll) {
  const auto database = Open();
  ASSERT_TRUE(database->Execute("CREATE TABLE t (i INTEGER); PRAGMA user_version = 1"));
  const std::vector<Migration> steps = {{1, "ALTER TABLE t ADD COLUMN j INTEGER"},
                                        {2, "ALTER TABLE t ADD COLUMN k INTEGER"}};
  EXPECT_FALSE(Migrate(*database, 4, steps)) << "no step from 3";
  EXPECT_EQ(database->QueryInt("PRAGMA user_version"), 1);
  EXPECT_FALSE(database->Prepare("SELECT j FROM t")) << "the first two are rolled back";
  ASSERT_TRUE(Migrate(*database, 3, steps));
  EXPECT_EQ(database->QueryInt("PRAGMA user_version"), 3);
  EXPECT_TRUE(database->Prepare("SELECT j, k FROM t"));
  EXPECT_THAT(Migrate(*database, 2, steps).error().message, HasSubstr("newer"));
}

std::vector<std::string> ColumnsOf(const Database& database, const std::string& table) {
  std::vector<std::string> columns;
  auto row = database.Prepare("SELECT name || ' ' || type || ' ' || \"notnull\" FROM"
                              " pragma_table_info(?) ORDER BY name");
  row->Bind(table);
  while (*row->Step()) columns.push_back(row->Text(0));
  return columns;
}

TEST_F(SqliteTest, AStoreOfTheFirstVersionIsBroughtUpToDate) {
  const auto fresh_path = folder_.path() / "fresh.db";
  ASSERT_TRUE(CreateStore(fresh_path, MakeInfo()));
  const auto fresh = OpenStore(fresh_path);
  const auto old = Open();
  const auto schema =
      ReadFile(std::filesystem::path(CROQ_SOURCE_DIR) / "tests/golden/journal/schema_v1.sql");
  ASSERT_TRUE(schema);
  ASSERT_TRUE(old->Execute(*schema + "; PRAGMA user_version = 1"));
  ASSERT_TRUE(old->Execute("INSERT INTO ideas VALUES (1, 'iter001', 'memory_bound', 'dram 91%',"
                           " 'larger BLOCK_K', '+5%', '+3.1%', 'KEEP', 7)"));

  ASSERT_TRUE(Migrate(*old, kSchemaVersion, Migrations()));

  for (const char* table : {"session", "runs", "trials", "iterations", "attempts", "ideas",
                            "profiles", "facts"}) {
    EXPECT_EQ(ColumnsOf(*old, table), ColumnsOf(*fresh, table)) << table;
  }
  const auto ideas = Queries(&*old).Ideas();
  ASSERT_TRUE(ideas) << ideas.error().message;
  ASSERT_EQ(ideas->size(), 1U);
  EXPECT_EQ(ideas->front().evidence, "dram 91%");
  EXPECT_EQ(ideas->front().round, 0);
  EXPECT_EQ(ideas->front().counters, "[]");
}

TEST_F(SqliteTest, TheSchemaRefusesUnknownNames) {
  const auto path = folder_.path() / "journal.db";
  ASSERT_TRUE(CreateStore(path, MakeInfo()));
  const auto database = OpenStore(path);
  ASSERT_TRUE(database) << database.error().message;
  EXPECT_EQ(database->QueryInt("PRAGMA application_id"), kApplicationId);
  EXPECT_EQ(database->QueryInt("PRAGMA user_version"), kSchemaVersion);
  EXPECT_EQ(database->QueryText("PRAGMA journal_mode"), "wal");
  EXPECT_EQ(database->QueryInt("PRAGMA synchronous"), 2);
  EXPECT_FALSE(database->Execute("INSERT INTO iterations (number, state, tag, round, config, at,"
                                 " decision) VALUES (0, 'final', 't', 0, 'c', 0, 'MAYBE')"));
  EXPECT_FALSE(database->Execute("INSERT INTO facts VALUES ('k', 'v', 'not a number')"));
  EXPECT_EQ(database->QueryInt("SELECT count(*) FROM sqlite_schema s JOIN pragma_table_list l"
                               " ON l.name = s.name WHERE s.type = 'table' AND NOT l.strict"), 0);
}

TEST_F(SqliteTest, EveryOutcomeAndDecisionHasAPlaceInTheSchema) {
  const std::string schema = kSchema;
  for (int i = 0; i <= static_cast<int>(Outcome::kRule); ++i) {
    EXPECT_THAT(schema, HasSubstr(fmt::format("'{}'", NameOf(static_cast<Outcome>(i)))));
  }
}

}  // namespace
}  // namespace croq::journal
