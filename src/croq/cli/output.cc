#include "croq/cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "croq/base/files.h"

namespace croq::cli {
namespace {

/// Columns on a terminal, counting each code point as one.
std::size_t Width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 30;  ///< a last column is not squeezed below it

}  // namespace

std::string TextTable::Render(std::size_t indent) const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Width(row[i]));
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      line += row[i] + std::string(widths[i] - Width(row[i]) + kGap, ' ');
    }
    const std::size_t start = Width(line);
    const std::size_t room = width_ > start + kNarrowest ? width_ - start : kNarrowest;
    const std::vector<std::string> parts = WrapWords(row.empty() ? "" : row.back(), room);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i > 0)
        line.append("\n").append(start, ' ');
      line += parts[i];
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::vector<std::string> WrapWords(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    std::string& line = lines.back();
    if (line.empty()) {
      line = word;
    } else if (Width(line) + 1 + Width(word) <= width) {
      line += ' ';
      line += word;
    } else {
      lines.emplace_back(word);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string Indent(std::string_view text, std::size_t indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0)
      out += std::string(indent, ' ') + std::string(text.substr(0, end));
    out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

void PrintJson(const nlohmann::json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

Status WriteOutput(const std::filesystem::path& path, std::string_view text, bool executable) {
  const Status written = WriteFileAtomic(path, text, executable);
  if (written) return {};
  return UsageFailure(written.error().message + " (name another file with -o)");
}

std::string FormatBytes(double bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return bytes < 10 && unit > 0 ? fmt::format("{:.1f} {}", bytes, kUnits[unit])
                                : fmt::format("{:.0f} {}", bytes, kUnits[unit]);
}

}  // namespace croq::cli
