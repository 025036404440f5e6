#include "croq/profile/csv.h"

#include <algorithm>

namespace croq::profile {
namespace {

}  // namespace

std::string_view CsvReader::Line() const {
  std::string_view line = text_.substr(std::min(at_, text_.size()));
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

void CsvReader::SkipLine() {
  const std::size_t end = text_.find('\n', at_);
  at_ = end == std::string_view::npos ? text_.size() : end + 1;
}

bool CsvReader::Next(std::vector<std::string_view>& fields) {
  fields.clear();
  if (AtEnd())
    return false;
  cut_off_ = false;
  unclosed_ = false;
  while (true) {
    fields.push_back(Field());
    if (at_ >= text_.size()) {
      cut_off_ = true;
      return true;
    }
    if (text_[at_++] == '\n')
      return true;
  }
}

/// Leaves the reader on the comma or line feed that ends the field.
std::string_view CsvReader::Field() {
  if (at_ < text_.size() && text_[at_] == '"')
    return QuotedField();
  const std::size_t start = at_;
  while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n') ++at_;
  std::size_t end = at_;
  if (end > start && text_[end - 1] == '\r' && (end == text_.size() || text_[end] == '\n'))
    --end;
  return text_.substr(start, end - start);
}

std::string_view CsvReader::QuotedField() {
  const std::size_t start = ++at_;
  std::string* unquoted = nullptr;
  std::size_t from = start;
  while (true) {
    const std::size_t quote = text_.find('"', at_);
    if (quote == std::string_view::npos) {  // never closed
      at_ = text_.size();
      unclosed_ = true;
      return text_.substr(start);
    }
    at_ = quote + 1;
    if (at_ < text_.size() && text_[at_] == '"') {
      if (unquoted == nullptr)
        unquoted = &store_->emplace_back();
      unquoted->append(text_, from, at_ - from);
      from = ++at_;
      continue;
    }
    const std::size_t end = quote;
    // What stands between the closing quote and the comma is no CSV; it is dropped.
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n') ++at_;
    if (unquoted == nullptr)
      return text_.substr(start, end - start);
    unquoted->append(text_, from, end - from);
    return *unquoted;
  }
}

std::size_t LineOf(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  return 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'));
}

}  // namespace croq::profile
