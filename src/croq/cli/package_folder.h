#pragma once

#include <string>

#include "croq/base/result.h"
#include "croq/cli/install_layout.h"
#include "croq/cli/interpreter.h"

namespace croq::cli {

/// Where a Python package lies, without importing it; empty where it is not installed.
Result<std::string> PackageFolder(const PythonChoice& choice, const std::string& package,
                                  const InstallLayout& layout);

}  // namespace croq::cli
