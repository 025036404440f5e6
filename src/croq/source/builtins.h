#pragma once

#include <string_view>

namespace croq::source {

/// Whether Python finds this name in `builtins` where the file binds it nowhere.
bool IsBuiltin(std::string_view name);

}  // namespace croq::source
