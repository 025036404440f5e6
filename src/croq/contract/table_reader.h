#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"
#include "croq/contract/toml_tree.h"

namespace croq::contract {

/// What is wrong with a file, gathered so that one run shows all of it.
class Mistakes {
 public:
  explicit Mistakes(std::filesystem::path file) : file_(std::move(file)) {}

  void Add(Position at, const std::string& what);
  /// Fine, or a usage error with a line a mistake in the order of the file.
  Status AsStatus() const;

 private:
  std::filesystem::path file_;
  std::map<std::pair<int, int>, std::set<std::string>> found_;
};

/// Reads one table of the file. Every getter notes a mistake where the key is missing or its value
/// is of another type or out of its range, and then returns an empty value. Finish notes the keys
/// that no getter asked for.
class TableReader {
 public:
  static constexpr std::int64_t kMany = std::numeric_limits<std::int64_t>::max();

  /// `name` is the table's own, as messages write it: `[bench]`.
  TableReader(const TomlNode& table, std::string name, Mistakes& mistakes)
      : table_(&table), name_(std::move(name)), mistakes_(&mistakes) {}

  std::string Text(std::string_view key);  ///< not empty
  std::string TextOr(std::string_view key, std::string_view absent);
  std::string OneOf(std::string_view key, std::span<const std::string> words);
  std::vector<std::string> Texts(std::string_view key);  ///< none of them empty
  std::vector<std::string> TextsOrNone(std::string_view key);
  std::int64_t Integer(std::string_view key, std::int64_t low, std::int64_t high = kMany);
  std::int64_t IntegerOr(std::string_view key, std::int64_t absent, std::int64_t low);
  double Positive(std::string_view key);
  std::optional<double> NumberOrNone(std::string_view key);  ///< 0 or more
  bool FlagOr(std::string_view key, bool absent);
  /// An empty reader where the table is missing, so that reading goes on.
  TableReader Table(std::string_view key);
  /// The tables of [[key]]; at least one.
  std::vector<TableReader> Tables(std::string_view key);
  std::vector<TableReader> TablesOrNone(std::string_view key);
  /// The raw array, or nothing; for values of more than one type.
  const TomlNode* ArrayOrNone(std::string_view key);
  void Finish();

  /// Where messages about `key` point: its value, or the table where it is missing.
  Position At(std::string_view key) const;
  void Complain(std::string_view key, const std::string& what);
  void ComplainAt(Position at, const std::string& what) { mistakes_->Add(at, what); }
  const std::string& name() const { return name_; }

 private:
  const TomlNode* Take(std::string_view key, bool required, TomlNode::Kind kind);

  const TomlNode* table_;
  std::string name_;
  Mistakes* mistakes_;
  std::vector<std::string> asked_;
  bool missing_ = false;  ///< stands for a table that is not there: complains of nothing
};

}  // namespace croq::contract
