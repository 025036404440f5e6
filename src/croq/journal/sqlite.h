#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "croq/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace croq::journal {

/// One prepared statement. Bind the parameters in order, then Step() through the rows or Run() to
/// the end. A failed bind is reported by the next Step(). Must not outlive its Database.
class Statement {
 public:
  Statement(sqlite3* db, sqlite3_stmt* statement) : db_(db), statement_(statement) {}
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  Statement& Bind(std::int64_t value);
  Statement& Bind(int value) { return Bind(static_cast<std::int64_t>(value)); }
  Statement& Bind(bool value) { return Bind(static_cast<std::int64_t>(value)); }
  /// NaN is stored as NULL, which Real() reads back as NaN.
  Statement& Bind(double value);
  Statement& Bind(std::string_view value);
  Statement& Bind(const std::string& value) { return Bind(std::string_view(value)); }
  Statement& Bind(const char* value) { return Bind(std::string_view(value)); }
  Statement& BindNull();

  /// True: a row is there to be read. False: there are no more.
  Result<bool> Step();
  /// Runs to the end and makes the statement ready to be bound again.
  Status Run();

  std::int64_t Int(int column) const;
  double Real(int column) const;
  std::string Text(int column) const;

 private:
  sqlite3* db_;
  sqlite3_stmt* statement_;
  int bound_ = 0;
  int bind_error_ = 0;
};

/// One SQLite connection. Every error of SQLite becomes a sentence that names the file and says
/// what to do (disk full, damaged, locked, read-only).
class Database {
 public:
  enum class Mode {
    kCreate,     ///< read and write, made where absent
    kReadWrite,  ///< must exist
    kReadOnly,   ///< must exist; may make the -shm file beside it
    kImmutable,  ///< read-only, no lock, nothing made: only where no -wal holds newer pages
  };

  static Result<Database> Open(const std::filesystem::path& path, Mode mode);
  Database(Database&&) noexcept = default;
  Database& operator=(Database&&) noexcept = default;

  Result<Statement> Prepare(std::string_view sql) const;
  /// Runs statements that return nothing of interest.
  Status Execute(const std::string& sql) const;
  /// First column of the first row of a statement that has one.
  Result<std::int64_t> QueryInt(std::string_view sql) const;
  Result<std::string> QueryText(std::string_view sql) const;
  /// SQLite's own words for the last error on this connection.
  std::string LastMessage() const;
  /// Whether a transaction is open.
  bool InTransaction() const;

 private:
  struct Closer {
    void operator()(sqlite3* db) const;
  };
  explicit Database(sqlite3* db) : db_(db) {}

  std::unique_ptr<sqlite3, Closer> db_;
};

/// Rolls back when it goes out of scope, unless it was committed.
class Transaction {
 public:
  static Result<Transaction> Begin(const Database& database);
  Transaction(Transaction&& other) noexcept : database_(other.database_) {
    other.database_ = nullptr;
  }
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Status Commit();

 private:
  explicit Transaction(const Database* database) : database_(database) {}
  const Database* database_;
};

/// True where the error text came from a full disk; used by tests and by callers that may wait.
bool IsDiskFull(const Error& error);

}  // namespace croq::journal
