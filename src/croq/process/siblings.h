#pragma once

#include <filesystem>
#include <string>

#include "croq/base/result.h"

namespace croq::process {

/// The program `name` that lies beside this one (croq-supervisor, croq-runner), or `override_path`
/// where that is not empty. Error: it is not there or can't be run; says where it was looked for.
Result<std::filesystem::path> FindSibling(const std::string& name,
                                          const std::filesystem::path& override_path = {});

}  // namespace croq::process
