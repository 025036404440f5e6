#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "croq/base/result.h"

namespace croq::cli {

/// `M=4096,N=1024`: distinct Python names with whole numbers above 0. Usage error otherwise.
Result<std::vector<std::pair<std::string, std::int64_t>>> ParseNamedShape(const std::string& text);

}  // namespace croq::cli
