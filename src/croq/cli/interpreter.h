#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "croq/base/result.h"
#include "croq/cli/install_layout.h"
#include "croq/contract/contract.h"
#include "croq/process/environment.h"

namespace croq::cli {

/// Which Python croq runs, and who says so.
struct PythonChoice {
  std::filesystem::path path;  ///< absolute, links not followed: a venv's python is a link
  std::string origin;          ///< `CROQ_PYTHON`, `.venv`, `PATH`
};

/// A Python that runs croq's worker, and what is installed for it.
struct Interpreter {
  std::filesystem::path path;
  std::string origin;
  std::string python;                           ///< its version
  std::map<std::string, std::string> packages;  ///< versions, by import name; absent: not installed
  std::string cuda;                             ///< of torch's build; empty: a CPU build
  std::string cublas;  ///< path of the libcublas that torch would load; empty: none found
  std::string cublas_lt;

  /// Empty where it is not installed.
  std::string VersionOf(std::string_view package) const;
};

/// CROQ_PYTHON where it is set, else the .venv beside the sources croq was built from, else the
/// contract's interpreter on PATH. Usage error where there is none.
Result<PythonChoice> LocatePython(const InstallLayout& layout,
                                  const contract::Environment& environment);

/// Asks it for its versions; imports nothing, takes about 0.1 s. Usage error where it is no Python
/// or too old a one.
Result<Interpreter> InspectPython(const PythonChoice& choice, const InstallLayout& layout,
                                  const contract::Environment& environment);

/// This process's variables with croq's worker first on PYTHONPATH.
process::Environment WorkerEnvironment(const InstallLayout& layout);

/// The folder to put first on PATH so that `name` (python3) is this interpreter: its own where that
/// has it by that name, else `shim`, which is made with a `name` that calls it.
Result<std::filesystem::path> PythonFolder(const std::filesystem::path& python,
                                           const std::string& name,
                                           const std::filesystem::path& shim);

/// The program `name` on this process's PATH; empty where there is none.
std::filesystem::path FindOnPath(std::string_view name);

}  // namespace croq::cli
