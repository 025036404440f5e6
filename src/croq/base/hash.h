#pragma once

#include <string>
#include <string_view>

namespace croq {

/// XXH3-128 of the bytes as 32 hex digits. A fingerprint for equality, not for security.
std::string Fingerprint(std::string_view bytes);

}  // namespace croq
