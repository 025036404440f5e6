#include "croq/journal/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <cmath>
#include <limits>
#include <utility>

namespace croq::journal {
namespace {

constexpr int kBusyTimeoutMillis = 5000;
constexpr std::string_view kDiskFull = "the disk is full";

bool IsFull(sqlite3* db, int code) {
  const int primary = code & 0xff;
  if (primary == SQLITE_FULL) return true;
  const int system = sqlite3_system_errno(db);
  return (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN) &&
         (system == ENOSPC || system == EDQUOT);
}

/// What a person should do about a SQLite result code.
std::string Advice(sqlite3* db, int code) {
  if (IsFull(db, code)) {
    return fmt::format(
        "{}: free some space and run the same command again; what was committed is kept",
        kDiskFull);
  }
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "the store is damaged: move it and its -wal and -shm files away, or restore a copy";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another program holds the store: close it and run the same command again";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      return "the store can't be opened for this: check the permissions of its folder";
    default:
      return "check the disk and run the same command again";
  }
}

tl::unexpected<Error> SqliteFailure(sqlite3* db, int code) {
  const char* file = sqlite3_db_filename(db, "main");
  return Failure(fmt::format("journal {}: {} ({})", file == nullptr ? "" : file,
                             sqlite3_errmsg(db), Advice(db, code)));
}

/// A path as the file: URI that carries SQLite's immutable flag.
std::string ImmutableUri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

int FlagsOf(Database::Mode mode) {
  switch (mode) {
    case Database::Mode::kCreate:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Database::Mode::kReadWrite:
      return SQLITE_OPEN_READWRITE;
    case Database::Mode::kReadOnly:
      return SQLITE_OPEN_READONLY;
    case Database::Mode::kImmutable:
      return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  }
  return SQLITE_OPEN_READONLY;
}

}  // namespace

Statement::Statement(Statement&& other) noexcept
    : db_(other.db_),
      statement_(std::exchange(other.statement_, nullptr)),
      bound_(other.bound_),
      bind_error_(other.bind_error_) {}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::Bind(std::int64_t value) {
  bind_error_ |= sqlite3_bind_int64(statement_, ++bound_, value);
  return *this;
}

Statement& Statement::Bind(double value) {
  if (std::isnan(value)) return BindNull();
  bind_error_ |= sqlite3_bind_double(statement_, ++bound_, value);
  return *this;
}

Statement& Statement::Bind(std::string_view value) {
  // A null pointer would be stored as NULL, so an empty view gets an address.
  const char* data = value.data() == nullptr ? "" : value.data();
  bind_error_ |= sqlite3_bind_text64(statement_, ++bound_, data, value.size(), SQLITE_TRANSIENT,
                                     SQLITE_UTF8);
  return *this;
}

Statement& Statement::BindNull() {
  bind_error_ |= sqlite3_bind_null(statement_, ++bound_);
  return *this;
}

Result<bool> Statement::Step() {
  if (bind_error_ != 0) return SqliteFailure(db_, bind_error_);
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  auto failure = SqliteFailure(db_, sqlite3_extended_errcode(db_));
  sqlite3_reset(statement_);
  return failure;
}

Status Statement::Run() {
  while (true) {
    CROQ_ASSIGN(const bool row, Step());
    if (!row) break;
  }
  sqlite3_reset(statement_);
  bound_ = 0;
  return {};
}

std::int64_t Statement::Int(int column) const { return sqlite3_column_int64(statement_, column); }

double Statement::Real(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return sqlite3_column_double(statement_, column);
}

std::string Statement::Text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return "";
  const int size = sqlite3_column_bytes(statement_, column);
  return std::string(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
}

void Database::Closer::operator()(sqlite3* db) const { sqlite3_close_v2(db); }

Result<Database> Database::Open(const std::filesystem::path& path, Mode mode) {
  sqlite3* raw = nullptr;
  const std::string name = mode == Mode::kImmutable ? ImmutableUri(path.string()) : path.string();
  const int code = sqlite3_open_v2(name.c_str(), &raw, FlagsOf(mode), nullptr);
  Database database(raw);
  if (code != SQLITE_OK) {
    return Failure(fmt::format("journal {}: {} ({})", path.string(),
                               raw == nullptr ? "out of memory" : sqlite3_errmsg(raw),
                               Advice(raw, code)));
  }
  sqlite3_extended_result_codes(raw, 1);
  sqlite3_busy_timeout(raw, kBusyTimeoutMillis);
  return database;
}

Result<Statement> Database::Prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(db_.get(), sql.data(), static_cast<int>(sql.size()),
                                      &statement, nullptr);
  if (code != SQLITE_OK) return SqliteFailure(db_.get(), code);
  return Statement(db_.get(), statement);
}

Status Database::Execute(const std::string& sql) const {
  const int code = sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return SqliteFailure(db_.get(), sqlite3_extended_errcode(db_.get()));
  return {};
}

Result<std::int64_t> Database::QueryInt(std::string_view sql) const {
  CROQ_ASSIGN(Statement statement, Prepare(sql));
  CROQ_ASSIGN(const bool row, statement.Step());
  return row ? statement.Int(0) : 0;
}

Result<std::string> Database::QueryText(std::string_view sql) const {
  CROQ_ASSIGN(Statement statement, Prepare(sql));
  CROQ_ASSIGN(const bool row, statement.Step());
  return row ? statement.Text(0) : std::string();
}

std::string Database::LastMessage() const { return sqlite3_errmsg(db_.get()); }

bool Database::InTransaction() const { return sqlite3_get_autocommit(db_.get()) == 0; }

Result<Transaction> Transaction::Begin(const Database& database) {
  CROQ_TRY(database.Execute("BEGIN IMMEDIATE"));
  return Transaction(&database);
}

Transaction::~Transaction() {
  // SQLite has rolled back by itself after some errors (a full disk); then there is nothing to do.
  if (database_ != nullptr && database_->InTransaction()) {
    static_cast<void>(database_->Execute("ROLLBACK"));
  }
}

Status Transaction::Commit() {
  CROQ_TRY(database_->Execute("COMMIT"));
  database_ = nullptr;
  return {};
}

bool IsDiskFull(const Error& error) { return error.message.find(kDiskFull) != std::string::npos; }

}  // namespace croq::journal
