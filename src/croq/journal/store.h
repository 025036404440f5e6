#pragma once

#include <filesystem>
#include <optional>

#include "croq/base/result.h"
#include "croq/journal/records.h"
#include "croq/journal/sqlite.h"

/// The store as a file: making one, telling a sound one from a damaged, foreign or newer one
/// without touching it, and opening it.
namespace croq::journal {

/// False: there is none. True: a sound store of this croq's version or an older one. Everything
/// else is an error that says what to do; the file and its time stamps stay as they are.
Result<bool> CheckStore(const std::filesystem::path& path);

/// Makes a store with its session row, whole or not at all (built beside `path`, then renamed).
Status CreateStore(const std::filesystem::path& path, const SessionInfo& info);

/// Opens a checked store to write and brings it to the newest version.
Result<Database> OpenStore(const std::filesystem::path& path);

/// Checks the store and opens it to read, beside a croq that may be writing to it. Makes no file
/// where no croq runs.
Result<Database> OpenStoreToRead(const std::filesystem::path& path);

}  // namespace croq::journal
