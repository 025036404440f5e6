#include "croq/journal/view_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "croq/base/fd.h"
#include "croq/base/files.h"

namespace croq::journal {
namespace {

/// What is wrong with `found` where `wanted` should stand.
std::string Difference(const std::string& found, const std::string& wanted) {
  if (wanted.compare(0, found.size(), found) != 0) return "was changed by other hands";
  if (found.empty() || found.back() == '\n') return "was behind the journal";
  return "ended in a torn line";
}

}  // namespace

Result<std::string> ViewFile::Repair(const std::string& content) {
  const std::string name = path_.filename().string();
  std::error_code code;
  const bool exists = std::filesystem::exists(path_, code);
  if (!exists && content == empty_ && !always_) {
    size_ = -1;
    return std::string();
  }
  std::string repaired;
  if (exists) {
    CROQ_ASSIGN(const std::string found, ReadFile(path_));
    if (found == content) {
      size_ = static_cast<std::int64_t>(content.size());
      return std::string();
    }
    const std::string difference = Difference(found, content);
    repaired = fmt::format("{} {}: rewritten from the journal", name, difference);
    if (difference == "was changed by other hands") {
      CROQ_TRY(WriteFileAtomic(path_.string() + ".bak", found));
      repaired += fmt::format(", the old text is in {}.bak", name);
    }
  } else if (content != empty_) {
    repaired = fmt::format("{} was missing: rewritten from the journal", name);
  }
  size_ = -1;
  CROQ_TRY(WriteFileAtomic(path_, content));
  size_ = static_cast<std::int64_t>(content.size());
  return repaired;
}

Result<bool> ViewFile::Append(std::string_view line) {
  if (size_ < 0) return false;
  Fd fd(::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  struct stat status {};
  if (!fd || ::fstat(fd.get(), &status) != 0 || status.st_size != size_) {
    size_ = -1;
    return false;
  }
  ssize_t written = -1;
  do {
    written = ::write(fd.get(), line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  if (written != static_cast<ssize_t>(line.size())) {
    size_ = -1;
    return false;
  }
  size_ += static_cast<std::int64_t>(line.size());
  return true;
}

}  // namespace croq::journal
