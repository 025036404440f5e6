#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "croq/profile/table_layout.h"

/// What tells the rows of a table from the program's own output around and within it.
namespace croq::profile {

enum class LineKind { kRow, kHeader, kNoise };

/// What the first cell of a line holds, read without taking the line as CSV: the program's own
/// output may have quotes that nobody closes. Nothing where the line can't be a row.
std::optional<std::string_view> FirstCell(std::string_view line);

bool IsNumber(std::string_view cell);

/// A row starts with the launch's number, a units row with an empty cell; a quoted line with just
/// as many fields as the table has columns is a row whatever it starts with.
LineKind KindOf(std::string_view line, std::size_t columns);

/// Whether the line is a row's quoted number and no more, as a file that was cut off may end.
bool IsStartOfRow(std::string_view line);

/// Whether a line of kind kRow, read as CSV into so many fields, belongs to the table. It does if
/// it has as many fields as the header, or starts with a quoted number. Any other must have at
/// least half of them, and be quoted where the header is.
bool IsOfTable(std::string_view line, std::size_t fields, const Layout& layout);

/// Whether all facts of the launch are empty: only the metrics' columns may hold something.
bool IsUnitsRow(const Fields& fields, const Layout& layout);

/// Whether both columns hold something, and not the same. `units` may be empty.
bool Differ(const std::pair<std::size_t, std::size_t>& twins, const Fields& fields,
            const std::vector<std::string>& units);

}  // namespace croq::profile
