#pragma once

#include <filesystem>

#include "croq/base/result.h"

namespace croq::cli {

/// Where croq's own files lie. Found from the running program, so that a package can be put
/// anywhere:
///   package        croq  croq-runner  croq-supervisor  contracts/  python/
///   installed      bin/croq  libexec/croq/croq-runner ...  share/croq/{contracts,python}/
///   build folder   croq and its companions there, the rest in the sources it was built from
struct InstallLayout {
  std::filesystem::path contracts;    ///< folder of <dsl>.toml
  std::filesystem::path python;       ///< folder that holds the package croq_worker
  std::filesystem::path operators;    ///< folder of kernel templates, one folder an operator
  std::filesystem::path runner;       ///< program; may be missing where no GPU is used
  std::filesystem::path supervisor;   ///< program
  std::filesystem::path environment;  ///< .venv beside the sources; empty outside a build folder
};

/// Fatal error where contracts or workers are missing: an installation that is not whole.
Result<InstallLayout> FindInstallLayout();

/// The same for a program that lies in `folder`. `build_folder` and `source_folder` are those it
/// was built in and from.
Result<InstallLayout> FindInstallLayout(const std::filesystem::path& folder,
                                        const std::filesystem::path& build_folder,
                                        const std::filesystem::path& source_folder);

}  // namespace croq::cli
