#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "croq/base/result.h"

namespace croq {

/// The whole file. Error names the path and errno's text.
Result<std::string> ReadFile(const std::filesystem::path& path);

/// Replaces `path` in one step: temporary file beside it, fsync, rename, fsync of the folder. A
/// reader sees the old content or the new, never a part. What a link leads to is replaced, not the
/// link; what is no regular file (a device, a pipe) is written to.
Status WriteFileAtomic(const std::filesystem::path& path, std::string_view content,
                       bool executable = false);

/// Writes `path` without the care of WriteFileAtomic: for scratch files that a crash may lose.
Status WriteFile(const std::filesystem::path& path, std::string_view content);

/// Makes `path` and its parents.
Status MakeDirectories(const std::filesystem::path& path);

}  // namespace croq
