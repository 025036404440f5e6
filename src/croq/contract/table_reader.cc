#include "croq/contract/table_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "croq/base/suggest.h"

namespace croq::contract {
namespace {

const TomlNode kEmptyTable;

/// `[bench]` and `cold` make `[bench.cold]`; the whole file's name is empty.
std::string SectionName(const std::string& parent, std::string_view key, bool array) {
  std::string path(key);
  if (const std::size_t start = parent.find_first_not_of('['); start != std::string::npos) {
    path = parent.substr(start, parent.find(']') - start) + "." + path;
  }
  return array ? "[[" + path + "]]" : "[" + path + "]";
}

}  // namespace

void Mistakes::Add(Position at, const std::string& what) {
  found_[{at.line, at.column}].insert(what);
}

Status Mistakes::AsStatus() const {
  if (found_.empty())
    return {};
  std::string text;
  for (const auto& [at, whats] : found_) {
    for (const std::string& what : whats) {
      if (!text.empty())
        text += '\n';
      text += fmt::format("{}:{}:{}: {}", file_.string(), at.first, at.second, what);
    }
  }
  return UsageFailure(text);
}

Position TableReader::At(std::string_view key) const {
  const TomlNode* node = table_->Find(key);
  return node != nullptr ? node->at : table_->at;
}

void TableReader::Complain(std::string_view key, const std::string& what) {
  if (!missing_)
    mistakes_->Add(At(key), what);
}

const TomlNode* TableReader::Take(std::string_view key, bool required, TomlNode::Kind kind) {
  asked_.emplace_back(key);
  const TomlNode* node = table_->Find(key);
  if (node == nullptr) {
    if (required && !missing_) {
      mistakes_->Add(
          table_->at,
          kind == TomlNode::Kind::kTable
              ? fmt::format("section {} is missing", SectionName(name_, key, false))
              : fmt::format("{} lacks the key '{}'", name_.empty() ? "the file" : name_, key));
    }
    return nullptr;
  }
  const bool number = kind == TomlNode::Kind::kFloat && node->kind == TomlNode::Kind::kInteger;
  if (node->kind == kind || number)
    return node;
  mistakes_->Add(node->at,
                 fmt::format("'{}' must be {}, but is {}", key, NameOf(kind), NameOf(node->kind)));
  return nullptr;
}

std::string TableReader::Text(std::string_view key) {
  const TomlNode* node = Take(key, true, TomlNode::Kind::kString);
  if (node == nullptr)
    return {};
  if (node->text.empty())
    mistakes_->Add(node->at, fmt::format("'{}' must not be empty", key));
  return node->text;
}

std::string TableReader::TextOr(std::string_view key, std::string_view absent) {
  const TomlNode* node = Take(key, false, TomlNode::Kind::kString);
  return node == nullptr ? std::string(absent) : node->text;
}

std::string TableReader::OneOf(std::string_view key, std::span<const std::string> words) {
  const TomlNode* node = Take(key, true, TomlNode::Kind::kString);
  if (node == nullptr)
    return {};
  if (std::ranges::find(words, node->text) != words.end())
    return node->text;
  const std::string near = Suggest(node->text, words);
  mistakes_->Add(node->at, fmt::format("'{}' is \"{}\", but must be one of {}{}", key, node->text,
                                       fmt::join(words, ", "),
                                       near.empty() ? "" : "; did you mean " + near + "?"));
  return {};
}

std::vector<std::string> TableReader::Texts(std::string_view key) {
  const TomlNode* node = Take(key, true, TomlNode::Kind::kArray);
  std::vector<std::string> texts;
  if (node == nullptr)
    return texts;
  for (const TomlNode& element : node->children) {
    if (element.kind != TomlNode::Kind::kString) {
      mistakes_->Add(element.at,
                     fmt::format("'{}' holds strings, but this is {}", key, NameOf(element.kind)));
    } else if (element.text.empty()) {
      mistakes_->Add(element.at, fmt::format("'{}' holds an empty string", key));
    } else {
      texts.push_back(element.text);
    }
  }
  return texts;
}

std::int64_t TableReader::Integer(std::string_view key, std::int64_t low, std::int64_t high) {
  const TomlNode* node = Take(key, true, TomlNode::Kind::kInteger);
  if (node == nullptr)
    return low;
  if (node->integer < low || node->integer > high) {
    const std::string range =
        high == kMany ? fmt::format("at least {}", low) : fmt::format("from {} to {}", low, high);
    mistakes_->Add(node->at, fmt::format("'{}' is {}, but must be {}", key, node->integer, range));
  }
  return node->integer;
}

std::int64_t TableReader::IntegerOr(std::string_view key, std::int64_t absent, std::int64_t low) {
  if (Take(key, false, TomlNode::Kind::kInteger) == nullptr)
    return absent;
  return Integer(key, low);
}

double TableReader::Positive(std::string_view key) {
  const TomlNode* node = Take(key, true, TomlNode::Kind::kFloat);
  if (node == nullptr)
    return 0;
  if (!(node->real > 0) || node->real > std::numeric_limits<double>::max()) {
    mistakes_->Add(node->at, fmt::format("'{}' is {}, but must be above 0", key, node->real));
  }
  return node->real;
}

std::vector<std::string> TableReader::TextsOrNone(std::string_view key) {
  return table_->Find(key) == nullptr ? (asked_.emplace_back(key), std::vector<std::string>{})
                                      : Texts(key);
}

std::optional<double> TableReader::NumberOrNone(std::string_view key) {
  const TomlNode* node = Take(key, false, TomlNode::Kind::kFloat);
  if (node == nullptr)
    return std::nullopt;
  const double value =
      node->kind == TomlNode::Kind::kInteger ? static_cast<double>(node->integer) : node->real;
  if (!(value >= 0) || value > std::numeric_limits<double>::max()) {
    mistakes_->Add(node->at, fmt::format("'{}' is {}, but must be 0 or more", key, value));
  }
  return value;
}

bool TableReader::FlagOr(std::string_view key, bool absent) {
  const TomlNode* node = Take(key, false, TomlNode::Kind::kBoolean);
  return node == nullptr ? absent : node->boolean;
}

TableReader TableReader::Table(std::string_view key) {
  const TomlNode* node = Take(key, true, TomlNode::Kind::kTable);
  TableReader reader(node == nullptr ? kEmptyTable : *node, SectionName(name_, key, false),
                     *mistakes_);
  reader.missing_ = node == nullptr;
  return reader;
}

std::vector<TableReader> TableReader::Tables(std::string_view key) {
  if (table_->Find(key) == nullptr && !missing_) {
    mistakes_->Add(table_->at, fmt::format("section {} is missing", SectionName(name_, key, true)));
  }
  std::vector<TableReader> readers = TablesOrNone(key);
  const TomlNode* node = table_->Find(key);
  if (node != nullptr && node->kind == TomlNode::Kind::kArray && node->children.empty()) {
    mistakes_->Add(node->at, fmt::format("'{}' must not be empty", key));
  }
  return readers;
}

std::vector<TableReader> TableReader::TablesOrNone(std::string_view key) {
  std::vector<TableReader> readers;
  const TomlNode* node = Take(key, false, TomlNode::Kind::kArray);
  if (node == nullptr)
    return readers;
  for (const TomlNode& element : node->children) {
    if (element.kind == TomlNode::Kind::kTable) {
      readers.emplace_back(element, SectionName(name_, key, true), *mistakes_);
    } else {
      mistakes_->Add(element.at,
                     fmt::format("'{}' holds tables, but this is {}", key, NameOf(element.kind)));
    }
  }
  return readers;
}

const TomlNode* TableReader::ArrayOrNone(std::string_view key) {
  return Take(key, false, TomlNode::Kind::kArray);
}

void TableReader::Finish() {
  if (missing_)
    return;
  for (const TomlNode& entry : table_->children) {
    if (std::ranges::find(asked_, entry.key) != asked_.end())
      continue;
    const std::string near = Suggest(entry.key, asked_);
    mistakes_->Add(entry.key_at,
                   fmt::format("{} '{}'{}{}", name_.empty() ? "unknown section" : "unknown key",
                               entry.key, name_.empty() ? "" : " in " + name_,
                               near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
  }
}

}  // namespace croq::contract
