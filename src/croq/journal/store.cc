#include "croq/journal/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

#include "croq/base/fd.h"
#include "croq/base/files.h"
#include "croq/journal/migrate.h"
#include "croq/journal/schema.h"

namespace croq::journal {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kHeaderSize = 100;
constexpr std::size_t kApplicationIdAt = 68;  // https://sqlite.org/fileformat.html, 1.3

tl::unexpected<Error> Unusable(const fs::path& path, const std::string& what) {
  return Failure(fmt::format("the store {} {}; croq has not touched it: move it away with its -wal"
                             " and -shm files, restore a copy, or choose another --out",
                             path.string(), what));
}

std::uint32_t BigEndian32(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// Reads the first bytes without SQLite, which would make files beside a store that is not one.
Status CheckHeader(const fs::path& path) {
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) {
    return Failure(fmt::format("cannot read the store {}: {}", path.string(),
                               std::strerror(errno)));
  }
  std::array<char, kHeaderSize> header{};
  const ssize_t size = ::pread(fd.get(), header.data(), header.size(), 0);
  if (size < 0) {
    return Failure(fmt::format("cannot read the store {}: {}", path.string(),
                               std::strerror(errno)));
  }
  if (size == 0) return Unusable(path, "is empty (0 bytes), so it is no croq journal");
  if (static_cast<std::size_t>(size) < kHeaderSize ||
      std::string_view(header.data(), kMagic.size()) != kMagic) {
    return Unusable(path, "is no croq journal (not a SQLite file, or damaged at its start)");
  }
  if (BigEndian32(header.data() + kApplicationIdAt) != kApplicationId) {
    return Unusable(path, "is a SQLite file, but not a croq journal");
  }
  return {};
}

bool HasWal(const fs::path& path) {
  std::error_code code;
  const auto size = fs::file_size(path.string() + "-wal", code);
  return !code && size > 0;
}

/// A connection that changes nothing. Without a -wal there is nothing newer than the file itself,
/// and the immutable mode leaves no -shm and -wal behind.
Result<Database> OpenUntouched(const fs::path& path) {
  return Database::Open(path, HasWal(path) ? Database::Mode::kReadOnly
                                           : Database::Mode::kImmutable);
}

Status CheckVersion(const Database& database, const fs::path& path) {
  const auto version = database.QueryInt("PRAGMA user_version");
  if (!version) return Unusable(path, "is damaged (" + database.LastMessage() + ")");
  if (*version > kSchemaVersion) {
    return Failure(fmt::format("the store {} was written by a newer croq (version {}, this one "
                               "knows up to {}); croq has not touched it: use that croq, or choose "
                               "another --out", path.string(), *version, kSchemaVersion));
  }
  return {};
}

void RemoveStoreFiles(const fs::path& path) {
  std::error_code ignored;
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) {
    fs::remove(path.string() + suffix, ignored);
  }
}

Status InsertSession(const Database& database, const SessionInfo& info) {
  CROQ_ASSIGN(Statement insert,
              database.Prepare("INSERT INTO session (id, gpu_key, dsl, shape_key, model, offline,"
                               " seed, created_at, environment) VALUES (1, ?, ?, ?, ?, ?, ?, ?,"
                               " ?)"));
  insert.Bind(info.gpu_key).Bind(info.dsl).Bind(info.shape_key).Bind(info.model);
  insert.Bind(info.offline).Bind(info.seed).Bind(info.created_millis);
  insert.Bind(ToJsonText(info.environment));
  return insert.Run();
}

Status FillStore(const fs::path& path, const SessionInfo& info) {
  CROQ_ASSIGN(const Database database, Database::Open(path, Database::Mode::kCreate));
  CROQ_TRY(database.Execute("PRAGMA synchronous = FULL"));
  {
    CROQ_ASSIGN(Transaction transaction, Transaction::Begin(database));
    CROQ_TRY(database.Execute(kSchema));
    CROQ_TRY(database.Execute(fmt::format("PRAGMA application_id = {}", kApplicationId)));
    CROQ_TRY(database.Execute(fmt::format("PRAGMA user_version = {}", kSchemaVersion)));
    CROQ_TRY(InsertSession(database, info));
    CROQ_TRY(transaction.Commit());
  }
  CROQ_ASSIGN(const std::string mode, database.QueryText("PRAGMA journal_mode = WAL"));
  if (mode != "wal") {
    return Failure(fmt::format("the file system of {} can't hold the journal (no shared memory for"
                               " SQLite's WAL): choose a local --out", path.string()));
  }
  return {};
}

}  // namespace

Result<bool> CheckStore(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::symlink_status(path, code);
  if (status.type() == fs::file_type::not_found) return false;
  if (fs::status(path, code).type() != fs::file_type::regular) {
    return Unusable(path, "is not a plain file");
  }
  CROQ_TRY(CheckHeader(path));
  CROQ_ASSIGN(const Database database, OpenUntouched(path));
  CROQ_TRY(CheckVersion(database, path));
  const auto verdict = database.QueryText("PRAGMA quick_check(1)");
  if (!verdict) return Unusable(path, "is damaged (" + database.LastMessage() + ")");
  if (*verdict != "ok") return Unusable(path, "is damaged (" + *verdict + ")");
  return true;
}

Status CreateStore(const fs::path& path, const SessionInfo& info) {
  const fs::path temporary = path.string() + ".new";
  RemoveStoreFiles(temporary);
  if (Status filled = FillStore(temporary, info); !filled) {
    RemoveStoreFiles(temporary);
    return filled;
  }
  std::error_code code;
  fs::rename(temporary, path, code);
  if (code) {
    RemoveStoreFiles(temporary);
    return Failure(fmt::format("cannot make {}: {}", path.string(), code.message()));
  }
  Fd folder(::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) ::fsync(folder.get());
  return {};
}

Result<Database> OpenStore(const fs::path& path) {
  CROQ_ASSIGN(Database database, Database::Open(path, Database::Mode::kReadWrite));
  CROQ_TRY(database.Execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON"));
  CROQ_TRY(Migrate(database, kSchemaVersion, Migrations()));
  return database;
}

Result<Database> OpenStoreToRead(const fs::path& path) {
  std::error_code code;
  if (!fs::exists(path, code)) {
    return UsageFailure(fmt::format("there is no store at {}", path.string()));
  }
  CROQ_TRY(CheckHeader(path));
  CROQ_ASSIGN(Database database, OpenUntouched(path));
  CROQ_TRY(CheckVersion(database, path));
  CROQ_ASSIGN(const std::int64_t version, database.QueryInt("PRAGMA user_version"));
  if (version < kSchemaVersion) {
    return UsageFailure(fmt::format("the store {} was written by an older croq (version {}): run "
                                    "croq tune on it once to bring it up to date", path.string(),
                                    version));
  }
  return database;
}

}  // namespace croq::journal
