#include "croq/contract/toml_tree.h"

#include <fmt/format.h>
#include <toml++/toml.h>

namespace croq::contract {
namespace {

Position PositionOf(const toml::source_region& source) {
  return {static_cast<int>(source.begin.line), static_cast<int>(source.begin.column)};
}

TomlNode Convert(const toml::node& node);

void ConvertEntries(const toml::table& table, TomlNode& out) {
  for (const auto& [key, value] : table) {
    TomlNode entry = Convert(value);
    entry.key = std::string(key.str());
    entry.key_at = PositionOf(key.source());
    out.children.push_back(std::move(entry));
  }
}

TomlNode Convert(const toml::node& node) {
  TomlNode out;
  out.at = PositionOf(node.source());
  if (const auto* table = node.as_table()) {
    ConvertEntries(*table, out);
  } else if (const auto* array = node.as_array()) {
    out.kind = TomlNode::Kind::kArray;
    for (const toml::node& element : *array) out.children.push_back(Convert(element));
  } else if (const auto* text = node.as_string()) {
    out.kind = TomlNode::Kind::kString;
    out.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    out.kind = TomlNode::Kind::kInteger;
    out.integer = integer->get();
    out.real = static_cast<double>(out.integer);
  } else if (const auto* real = node.as_floating_point()) {
    out.kind = TomlNode::Kind::kFloat;
    out.real = real->get();
  } else if (const auto* boolean = node.as_boolean()) {
    out.kind = TomlNode::Kind::kBoolean;
    out.boolean = boolean->get();
  } else {
    out.kind = TomlNode::Kind::kDate;
  }
  return out;
}

}  // namespace

const TomlNode* TomlNode::Find(std::string_view name) const {
  for (const TomlNode& child : children) {
    if (child.key == name)
      return &child;
  }
  return nullptr;
}

std::string_view NameOf(TomlNode::Kind kind) {
  switch (kind) {
    case TomlNode::Kind::kTable:
      return "a table";
    case TomlNode::Kind::kArray:
      return "an array";
    case TomlNode::Kind::kString:
      return "a string";
    case TomlNode::Kind::kInteger:
      return "a whole number";
    case TomlNode::Kind::kFloat:
      return "a number";
    case TomlNode::Kind::kBoolean:
      return "true or false";
    case TomlNode::Kind::kDate:
      return "a date";
  }
  return "";
}

Result<TomlNode> ParseToml(const std::filesystem::path& file, std::string_view text) {
  try {
    return Convert(toml::parse(text, file.string()));
  } catch (const toml::parse_error& error) {
    const Position at = PositionOf(error.source());
    return UsageFailure(
        fmt::format("{}:{}:{}: {}", file.string(), at.line, at.column, error.description()));
  }
}

}  // namespace croq::contract
