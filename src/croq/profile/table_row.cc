#include "croq/profile/table_row.h"

#include "croq/profile/csv.h"

namespace croq::profile {
namespace {

std::size_t CountFields(std::string_view line) {
  FieldStore store;
  Fields fields;
  CsvReader(line, store).Next(fields);
  return fields.size();
}

}  // namespace

std::optional<std::string_view> FirstCell(std::string_view line) {
  if (!line.starts_with('"')) {
    const std::size_t comma = line.find(',');
    return comma == std::string_view::npos ? std::nullopt : std::optional(line.substr(0, comma));
  }
  const std::size_t end = line.find('"', 1);
  if (end == std::string_view::npos || end + 1 >= line.size() || line[end + 1] != ',')
    return std::nullopt;
  return line.substr(1, end - 1);
}

bool IsNumber(std::string_view cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789") == std::string_view::npos;
}

LineKind KindOf(std::string_view line, std::size_t columns) {
  const auto cell = FirstCell(line);
  if (!cell)
    return LineKind::kNoise;
  if (cell->empty() || IsNumber(*cell))
    return LineKind::kRow;
  if (*cell == "ID" || *cell == "Process ID")
    return line.find("Kernel Name") != std::string_view::npos ? LineKind::kHeader : LineKind::kNoise;
  const bool row = line.starts_with('"') && CountFields(line) == columns;
  return row ? LineKind::kRow : LineKind::kNoise;
}

bool IsStartOfRow(std::string_view line) {
  if (!line.starts_with('"'))
    return false;
  const std::size_t end = line.find_first_not_of("0123456789", 1);
  return end == std::string_view::npos || line.substr(end) == "\"";
}

bool IsOfTable(std::string_view line, std::size_t fields, const Layout& layout) {
  if (fields == layout.columns)
    return true;
  const bool quoted = line.starts_with('"');
  if (quoted && (IsNumber(FirstCell(line).value_or("")) || IsStartOfRow(line)))
    return true;
  return (quoted || !layout.quoted) && 2 * fields >= layout.columns;
}

bool IsUnitsRow(const Fields& fields, const Layout& layout) {
  for (const std::size_t place : layout.facts) {
    if (!At(fields, place).empty())
      return false;
  }
  return true;
}

bool Differ(const std::pair<std::size_t, std::size_t>& twins, const Fields& fields,
            const std::vector<std::string>& units) {
  const auto [one, other] = twins;
  if (fields[one].empty() || fields[other].empty())
    return false;
  return fields[one] != fields[other] || (!units.empty() && units[one] != units[other]);
}

}  // namespace croq::profile
