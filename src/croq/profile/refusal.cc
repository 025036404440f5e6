#include "croq/profile/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace croq::profile {
namespace {

constexpr std::string_view kExport =
    "ncu --import REPORT.ncu-rep --csv --page raw --print-units base";
constexpr std::size_t kQuoted = 160;  ///< characters of a line that a message shows

std::string Remedy() {
  return fmt::format("; export the report with `{} > FILE.csv`", kExport);
}

bool Has(std::span<const std::string_view> header, std::string_view name) {
  return std::ranges::find(header, name) != header.end();
}

std::string Shown(std::string_view line) {
  std::string out;
  for (const char c : line.substr(0, kQuoted)) out += (c >= ' ' && c != 0x7F) ? c : '?';
  return line.size() > kQuoted ? out + "..." : out;
}

/// The first line that holds something.
std::string_view FirstLine(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos)
    return {};
  const std::string_view rest = text.substr(start);
  return rest.substr(0, rest.find_first_of("\r\n"));
}

std::string Joined(const std::vector<std::string>& messages) {
  std::string out;
  for (const std::string& message : messages) {
    if (!out.empty())
      out += " / ";
    out += Shown(message);
  }
  return out;
}

std::string_view FormOf(std::string_view text) {
  constexpr std::size_t kLooked = 4096;
  const std::string_view start = text.substr(0, kLooked);
  const std::string_view line = FirstLine(text);
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF"))
    return "it is UTF-16 text, as a redirection in PowerShell writes; croq reads UTF-8";
  if (start.starts_with("NVR") || start.find('\0') != std::string_view::npos)
    return "it is binary, as an .ncu-rep report is";
  if (line.find("Metric Name") != std::string_view::npos &&
      line.find("Minimum") != std::string_view::npos)
    return "it is a summary without kernels";
  const std::string_view cell = line.substr(0, line.find(','));
  if (cell.find('[') != std::string_view::npos && cell.find(']') != std::string_view::npos)
    return "it is a table of the graphical ncu-ui (`metric [unit]` first, a column a kernel)";
  if (line.find("Address") != std::string_view::npos &&
      line.find("Source") != std::string_view::npos)
    return "it is a source page, which lists instructions";
  if (line.find("Time (%)") != std::string_view::npos)
    return "it is a table of Nsight Systems, which reads no counters";
  return "it has no line that starts with an ID column, as ncu's tables have";
}

}  // namespace

std::string_view ExportCommand() {
  return kExport;
}

tl::unexpected<Error> RefuseWithoutTable(std::string_view text, std::string_view name,
                                         const std::vector<std::string>& messages) {
  if (FirstLine(text).empty())
    return UsageFailure(fmt::format("{}: the file is empty{}", name, Remedy()));
  if (!messages.empty()) {
    return UsageFailure(
        fmt::format("{}: no table in it; ncu says: {}{}", name, Joined(messages), Remedy()));
  }
  return UsageFailure(fmt::format("{}:1:1: not a CSV export of ncu: {}; it starts with: {}{}", name,
                                  FormOf(text), Shown(FirstLine(text)), Remedy()));
}

tl::unexpected<Error> RefuseTable(std::span<const std::string_view> header, std::size_t line,
                                  std::string_view name) {
  std::string what = "the table has neither a column 'Metric Value' nor one named after a metric";
  if (Has(header, "Invocations") || Has(header, "Minimum") || Has(header, "Average")) {
    what =
        "a summary over launches (--print-summary), which has minimum, maximum and average "
        "instead of one launch's figures";
  } else if (Has(header, "Metric Name") && !Has(header, "Metric Value")) {
    what = "the table has a column 'Metric Name' but no 'Metric Value'";
  } else if (!Has(header, "ID")) {
    what = "the table has no column 'ID', so its launches can't be told apart";
  }
  return UsageFailure(fmt::format("{}:{}:1: {}{}", name, line, what, Remedy()));
}

tl::unexpected<Error> RefuseEmptyTable(std::string_view name, std::size_t line,
                                       const std::vector<std::string>& messages) {
  const std::string said = messages.empty() ? "" : "; ncu says: " + Joined(messages);
  return UsageFailure(fmt::format(
      "{}:{}:1: the table holds no launch{}; profile again with a --kernel-name that matches, then "
      "`{} > FILE.csv`",
      name, line, said, kExport));
}

tl::unexpected<Error> RefuseUnclosed(std::string_view name, std::size_t line) {
  return UsageFailure(fmt::format(
      "{}:{}:1: the file ends within a quoted cell of this row: the export was cut off; "
      "export again{}",
      name, line, Remedy()));
}

tl::unexpected<Error> RefuseNul(std::string_view name, std::size_t line) {
  return UsageFailure(fmt::format(
      "{}:{}:1: this line holds a NUL byte, which no text has: the file is damaged{}", name, line,
      Remedy()));
}

tl::unexpected<Error> RefuseTwice(std::string_view name, std::size_t line, std::string_view metric,
                                  std::string_view first, std::string_view second) {
  return UsageFailure(fmt::format(
      "{}:{}:1: the metric {} has two columns, which differ in this row (or in unit): '{}' and '{}'{}", name,
      line, Shown(metric), Shown(first), Shown(second), Remedy()));
}

tl::unexpected<Error> RefuseCount(std::string_view name, std::size_t line, std::size_t fields,
                                  std::size_t columns) {
  return UsageFailure(fmt::format("{}:{}:1: this row has {} field{}, its table's header has {}{}",
                                  name, line, fields, fields == 1 ? "" : "s", columns, Remedy()));
}

tl::unexpected<Error> RefuseId(std::string_view name, std::size_t line, std::string_view id) {
  const std::string what =
      id.empty() ? "is empty" : fmt::format("holds '{}', which is no launch's number", Shown(id));
  return UsageFailure(
      fmt::format("{}:{}:1: the ID cell of this row {}{}", name, line, what, Remedy()));
}

tl::unexpected<Error> RefuseCutOff(std::string_view name, std::size_t line) {
  return UsageFailure(
      fmt::format("{}:{}:1: the file ends within this row{}", name, line, Remedy()));
}

}  // namespace croq::profile
