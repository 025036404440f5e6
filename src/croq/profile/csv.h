#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace croq::profile {

/// Where fields with doubled quotes are kept, since they are no part of the text; its strings do
/// not move.
using FieldStore = std::deque<std::string>;

/// Reads rows of comma-separated text (RFC 4180: quoted fields, doubled quotes, line ends in LF or
/// CRLF), one at a time. Fields are views into the text, or into the store.
class CsvReader {
 public:
  CsvReader(std::string_view text, FieldStore& store) : text_(text), store_(&store) {}

  bool AtEnd() const { return at_ >= text_.size(); }
  /// The rest of the physical line the reader stands on, without its end.
  std::string_view Line() const;
  void SkipLine();
  /// Reads the row that starts here. False at the end of the text.
  bool Next(std::vector<std::string_view>& fields);
  /// Offset of the next row.
  std::size_t offset() const { return at_; }
  void Seek(std::size_t offset) { at_ = offset; }
  /// Whether the last row ended with the text: no line end, or a quote that was never closed.
  bool cut_off() const { return cut_off_; }
  /// Whether the last row has a quote that was never closed.
  bool unclosed() const { return unclosed_; }

 private:
  std::string_view Field();
  std::string_view QuotedField();

  std::string_view text_;
  FieldStore* store_;
  std::size_t at_ = 0;
  bool cut_off_ = false;
  bool unclosed_ = false;
};

/// The line that `offset` lies in, from 1.
std::size_t LineOf(std::string_view text, std::size_t offset);

}  // namespace croq::profile
