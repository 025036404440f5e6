#include "croq/cli/scratch_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace croq::cli {

Result<ScratchFolder> ScratchFolder::Make() {
  std::error_code failed;
  const std::filesystem::path base = std::filesystem::temp_directory_path(failed);
  std::string name = ((failed ? std::filesystem::path("/tmp") : base) / "croq-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    return Failure(fmt::format("no folder for temporary files: {}: {}; set TMPDIR", name,
                               std::strerror(errno)));
  }
  return ScratchFolder(name);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

ScratchFolder& ScratchFolder::operator=(ScratchFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace croq::cli
