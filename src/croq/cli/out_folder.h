#pragma once

#include <cstdint>
#include <filesystem>

#include "croq/base/result.h"

namespace croq::cli {

/// The folder itself where it exists, else the nearest of its parents that does.
std::filesystem::path NearestExisting(const std::filesystem::path& path);

/// Usage error where nothing could be written to --out. Leaves nothing behind: it makes a folder in
/// the nearest existing one and removes it again, as permissions alone don't tell (root, read-only
/// mounts, /proc).
Status CheckOut(const std::filesystem::path& out);

/// Bytes an unprivileged user can still write there.
Result<std::int64_t> FreeBytes(const std::filesystem::path& out);

}  // namespace croq::cli
