#pragma once

#include <string_view>

namespace croq::protocol {

/// Of the wire format. A peer that says another number is refused.
inline constexpr int kProtocolVersion = 1;

/// Of croq itself; engine, runner and workers must be of one version.
inline constexpr std::string_view kCroqVersion = CROQ_PROJECT_VERSION;

}  // namespace croq::protocol
