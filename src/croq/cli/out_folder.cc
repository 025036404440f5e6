#include "croq/cli/out_folder.h"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace croq::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kAdvice = "name a folder you can write to with --out";

}  // namespace

fs::path NearestExisting(const fs::path& path) {
  std::error_code code;
  fs::path at = fs::absolute(path, code).lexically_normal();
  if (!at.has_filename() && at.has_relative_path())
    at = at.parent_path();  // `dir/`
  while (!fs::exists(at, code) && at.has_relative_path()) at = at.parent_path();
  return at;
}

Status CheckOut(const fs::path& out) {
  if (out.empty())
    return UsageFailure(fmt::format("--out is empty; {}", kAdvice));
  const fs::path existing = NearestExisting(out);
  std::error_code code;
  if (!fs::is_directory(existing, code)) {
    return UsageFailure(
        fmt::format("--out {}: {} is not a folder; {}", out.string(), existing.string(), kAdvice));
  }
  std::string name = (existing / ".croq-writable-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    return UsageFailure(fmt::format("--out {}: {} can't be written: {}; {}", out.string(),
                                    existing.string(), std::strerror(errno), kAdvice));
  }
  ::rmdir(name.c_str());
  return {};
}

Result<std::int64_t> FreeBytes(const fs::path& out) {
  struct statvfs info {};
  const fs::path existing = NearestExisting(out);
  if (::statvfs(existing.c_str(), &info) != 0) {
    return Failure(fmt::format("cannot ask for the free space of {}: {}", existing.string(),
                               std::strerror(errno)));
  }
  return static_cast<std::int64_t>(info.f_bavail) * static_cast<std::int64_t>(info.f_frsize);
}

}  // namespace croq::cli
