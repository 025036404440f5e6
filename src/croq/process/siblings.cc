#include "croq/process/siblings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

namespace croq::process {

Result<std::filesystem::path> FindSibling(const std::string& name,
                                          const std::filesystem::path& override_path) {
  std::error_code code;
  std::filesystem::path path = override_path;
  if (path.empty()) {
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", code);
    if (code) {
      return Failure(
          fmt::format("cannot find {}: /proc/self/exe can't be read: {}", name, code.message()));
    }
    path = self.parent_path() / name;
  }
  path = std::filesystem::absolute(path, code);
  if (::access(path.c_str(), X_OK) != 0 || std::filesystem::is_directory(path, code)) {
    return Failure(
        fmt::format("cannot find the program {}: it should be {}; build or install croq again",
                    name, path.string()));
  }
  return path;
}

}  // namespace croq::process
