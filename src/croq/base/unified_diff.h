#pragma once

#include <string>
#include <string_view>

namespace croq {

/// What turns one text into the other, line by line, as `diff -u` prints it, with three lines
/// around each change; empty where they are equal. The names stand after --- and +++.
std::string UnifiedDiff(std::string_view before_name, std::string_view before,
                        std::string_view after_name, std::string_view after);

}  // namespace croq
