#pragma once

#include <string>
#include <string_view>

#include "croq/base/result.h"

/// Base64 as RFC 4648 section 4 words it, with padding and without line ends.
namespace croq {

std::string EncodeBase64(std::string_view bytes);

/// Error where a character, the length or the padding is wrong.
Result<std::string> DecodeBase64(std::string_view text);

}  // namespace croq
