#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"

namespace croq::contract {

/// A place in a file; both count from 1.
struct Position {
  int line = 1;
  int column = 1;
};

/// A TOML document with the place of every key and value, free of the library that read it.
struct TomlNode {
  enum class Kind { kTable, kArray, kString, kInteger, kFloat, kBoolean, kDate };

  Kind kind = Kind::kTable;
  Position at;      ///< of the value
  std::string key;  ///< where it is a table's entry
  Position key_at;
  std::string text;
  std::int64_t integer = 0;
  double real = 0;
  bool boolean = false;
  std::vector<TomlNode> children;  ///< entries or elements

  const TomlNode* Find(std::string_view name) const;
};

/// `a table`, `a string`, ...: for messages.
std::string_view NameOf(TomlNode::Kind kind);

/// Usage error `file:line:column: what` where the text is not TOML.
Result<TomlNode> ParseToml(const std::filesystem::path& file, std::string_view text);

}  // namespace croq::contract
