#include "croq/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "croq/base/fd.h"

namespace croq {
namespace {

constexpr std::size_t kReadBytes = 64 << 10;  // of a file that does not say its size

tl::unexpected<Error> SystemFailure(const char* what, const std::filesystem::path& path) {
  return Failure(fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(errno)));
}

Status WriteAll(int fd, std::string_view content, const std::filesystem::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return SystemFailure("write", path);
    }
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

/// A link stays a link: what it leads to is replaced.
std::filesystem::path EndOfLinks(std::filesystem::path path) {
  constexpr int kMostLinks = 40;  // as the kernel follows
  std::error_code code;
  for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(path, code); ++links)
    path = path.parent_path() / std::filesystem::read_symlink(path, code);
  return path;
}

}  // namespace

Result<std::string> ReadFile(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) {
    return Failure(fmt::format("cannot read {}: it is a directory", path.string()));
  }
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return SystemFailure("read", path);
  // A size of 0 says nothing (/proc), and a file may grow: read until there is no more.
  struct stat facts {};
  const bool known = ::fstat(fd.get(), &facts) == 0 && facts.st_size > 0;
  std::string content(known ? static_cast<std::size_t>(facts.st_size) + 1 : kReadBytes, '\0');
  std::size_t used = 0;
  while (true) {
    const ssize_t got = ::read(fd.get(), content.data() + used, content.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemFailure("read", path);
    used += static_cast<std::size_t>(got);
    if (got == 0) break;
    if (used == content.size()) content.resize(2 * content.size());
  }
  content.resize(used);
  return content;
}

Status WriteFileAtomic(const std::filesystem::path& asked, std::string_view content,
                       bool executable) {
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(asked, code);
  // A rename would put a file where a device or a pipe was (/dev/null, /dev/stdout).
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
      !std::filesystem::is_directory(status))
    return WriteFile(asked, content);
  const std::filesystem::path path = EndOfLinks(asked);
  const std::filesystem::path temporary =
      path.string() + fmt::format(".{}.tmp", static_cast<long>(::getpid()));
  Fd fd(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
               executable ? 0755 : 0644));
  if (!fd) return SystemFailure("write", temporary);
  Status written = WriteAll(fd.get(), content, temporary);
  if (written && ::fsync(fd.get()) != 0) written = SystemFailure("flush", temporary);
  if (written && ::rename(temporary.c_str(), path.c_str()) != 0) {
    written = SystemFailure("replace", path);
  }
  if (!written) {
    ::unlink(temporary.c_str());
    return written;
  }
  Fd folder(::open(path.parent_path().empty() ? "." : path.parent_path().c_str(),
                   O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) ::fsync(folder.get());
  return {};
}

Status WriteFile(const std::filesystem::path& path, std::string_view content) {
  Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!fd) return SystemFailure("write", path);
  return WriteAll(fd.get(), content, path);
}

Status MakeDirectories(const std::filesystem::path& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) {
    return Failure(fmt::format("cannot make the folder {}: {}", path.string(), code.message()));
  }
  return {};
}

}  // namespace croq
