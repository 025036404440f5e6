#include "croq/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "croq/base/fd.h"

namespace croq {
namespace {

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

}  // namespace

Result<std::string> ReadFile(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code)) {
    return Failure(fmt::format("cannot read {}: it is a directory", path.string()));
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) return SystemFailure("read", path);
  std::string content((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (in.bad()) return SystemFailure("read", path);
  return content;
}

Status WriteFileAtomic(const std::filesystem::path& path, std::string_view content,
                       bool executable) {
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
