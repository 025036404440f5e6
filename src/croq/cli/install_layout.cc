#include "croq/cli/install_layout.h"

#include <fmt/format.h>

#include <system_error>

namespace croq::cli {
namespace fs = std::filesystem;
namespace {

bool IsFolder(const fs::path& path) {
  std::error_code code;
  return fs::is_directory(path, code);
}

InstallLayout Layout(const fs::path& shared, const fs::path& programs) {
  InstallLayout layout;
  layout.contracts = shared / "contracts";
  layout.python = shared / "python";
  layout.operators = layout.python / "operators";
  layout.runner = programs / "croq-runner";
  layout.supervisor = programs / "croq-supervisor";
  return layout;
}

}  // namespace

Result<InstallLayout> FindInstallLayout(const fs::path& folder, const fs::path& build_folder,
                                        const fs::path& source_folder) {
  InstallLayout layout;
  const fs::path prefix = folder.parent_path();
  std::error_code code;
  if (IsFolder(folder / "contracts")) {
    layout = Layout(folder, folder);
  } else if (IsFolder(prefix / "share" / "croq" / "contracts")) {
    layout = Layout(prefix / "share" / "croq", prefix / "libexec" / "croq");
  } else if (fs::equivalent(folder, build_folder, code)) {
    layout = Layout(source_folder, folder);
    layout.environment = source_folder / ".venv";
  } else {
    return Failure(fmt::format(
        "croq is not installed whole: there are no contracts in {} or {}; unpack or install the "
        "whole package",
        (folder / "contracts").string(), (prefix / "share" / "croq" / "contracts").string()));
  }
  if (!IsFolder(layout.python / "croq_worker")) {
    return Failure(fmt::format(
        "croq is not installed whole: its worker is not at {}; unpack or install the whole package",
        (layout.python / "croq_worker").string()));
  }
  return layout;
}

Result<InstallLayout> FindInstallLayout() {
  std::error_code code;
  const fs::path program = fs::read_symlink("/proc/self/exe", code);
  if (code) {
    return Failure(fmt::format(
        "cannot find croq's own folder: /proc/self/exe: {}; is /proc mounted?", code.message()));
  }
  return FindInstallLayout(program.parent_path(), CROQ_BUILD_FOLDER, CROQ_SOURCE_FOLDER);
}

}  // namespace croq::cli
