#include "croq/base/unified_diff.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace croq {
namespace {

constexpr std::size_t kContext = 3;

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

struct Edit {
  char kind = ' ';  ///< ' ', '-', '+'
  std::string_view line;
};

/// By the longest common subsequence, after what both have at their ends is set aside.
std::vector<Edit> Edits(const std::vector<std::string_view>& a,
                        const std::vector<std::string_view>& b) {
  std::size_t head = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < a.size() - head && tail < b.size() - head &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) {
    ++tail;
  }
  const std::size_t rows = a.size() - head - tail;
  const std::size_t columns = b.size() - head - tail;
  std::vector<std::vector<unsigned>> common(rows + 1, std::vector<unsigned>(columns + 1, 0));
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t j = columns; j-- > 0;) {
      common[i][j] = a[head + i] == b[head + j]
                         ? common[i + 1][j + 1] + 1
                         : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < head; ++i) edits.push_back({' ', a[i]});
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && a[head + i] == b[head + j]) {
      edits.push_back({' ', a[head + i]});
      ++i;
      ++j;
    } else if (j == columns || (i < rows && common[i + 1][j] >= common[i][j + 1])) {
      edits.push_back({'-', a[head + i++]});
    } else {
      edits.push_back({'+', b[head + j++]});
    }
  }
  for (std::size_t k = a.size() - tail; k < a.size(); ++k) edits.push_back({' ', a[k]});
  return edits;
}

std::string Range(std::size_t first, std::size_t count) {
  // An empty range names the line before it.
  std::string text = std::to_string(count == 0 ? first : first + 1);
  if (count != 1) text += "," + std::to_string(count);
  return text;
}

std::string Hunk(const std::vector<Edit>& edits, std::size_t begin, std::size_t end) {
  std::size_t before_line = 0;
  std::size_t after_line = 0;
  for (std::size_t i = 0; i < begin; ++i) {
    before_line += edits[i].kind != '+';
    after_line += edits[i].kind != '-';
  }
  std::size_t before = 0;
  std::size_t after = 0;
  std::string body;
  for (std::size_t i = begin; i < end; ++i) {
    before += edits[i].kind != '+';
    after += edits[i].kind != '-';
    body += edits[i].kind;
    body += edits[i].line;
    body += '\n';
  }
  return "@@ -" + Range(before_line, before) + " +" + Range(after_line, after) + " @@\n" + body;
}

}  // namespace

std::string UnifiedDiff(std::string_view before_name, std::string_view before,
                        std::string_view after_name, std::string_view after) {
  const std::vector<Edit> edits = Edits(Lines(before), Lines(after));
  std::string hunks;
  std::size_t at = 0;
  const auto next_change = [&](std::size_t from) {
    while (from < edits.size() && edits[from].kind == ' ') ++from;
    return from;
  };
  for (std::size_t change = next_change(at); change < edits.size(); change = next_change(at)) {
    const std::size_t begin = std::max(at, change < kContext ? 0 : change - kContext);
    std::size_t last = change;
    // Changes whose surroundings touch share a hunk.
    for (std::size_t i = change; i < edits.size() && i <= last + 2 * kContext; ++i) {
      if (edits[i].kind != ' ') last = i;
    }
    const std::size_t end = std::min(edits.size(), last + 1 + kContext);
    hunks += Hunk(edits, begin, end);
    at = end;
  }
  if (hunks.empty()) return "";
  return "--- " + std::string(before_name) + "\n+++ " + std::string(after_name) + "\n" + hunks;
}

}  // namespace croq
