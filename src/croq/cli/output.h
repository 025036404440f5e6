#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"

namespace croq::cli {

/// Rows of text in aligned columns, two spaces apart. The last column runs on: it is wrapped at
/// words to `width` characters where that leaves it room.
class TextTable {
 public:
  explicit TextTable(std::size_t width = 100) : width_(width) {}

  void AddRow(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// Each line starts with `indent` spaces and ends in a newline.
  std::string Render(std::size_t indent = 0) const;

 private:
  std::size_t width_;
  std::vector<std::vector<std::string>> rows_;
};

/// Lines of at most `width` characters, broken at spaces; a longer word stands alone.
std::vector<std::string> WrapWords(std::string_view text, std::size_t width);

/// Puts `indent` spaces before each line that is not empty.
std::string Indent(std::string_view text, std::size_t indent);

/// To stdout, indented. Names of files and what other programs said may be any bytes: what is no
/// UTF-8 is replaced.
void PrintJson(const nlohmann::json& json);

/// To the file that -o names. Usage error where it can't be written: another name mends that.
Status WriteOutput(const std::filesystem::path& path, std::string_view text,
                   bool executable = false);

/// 1.5 GiB, 232 KiB, 17 B.
std::string FormatBytes(double bytes);

}  // namespace croq::cli
