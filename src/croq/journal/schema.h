#pragma once

namespace croq::journal {

/// schema.sql, put into the library at build time: the layout of the newest version.
extern const char* const kSchema;

/// `user_version` of that layout.
inline constexpr int kSchemaVersion = 2;

/// `application_id`: "croq" in ASCII.
inline constexpr int kApplicationId = 0x63726f71;

}  // namespace croq::journal
