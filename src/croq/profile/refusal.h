#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"

namespace croq::profile {

/// `ncu --import REPORT.ncu-rep --csv --page raw --print-units base`: what makes a readable file.
std::string_view ExportCommand();

/// Says what a file without a table of ncu's looks like: empty, a binary report, ncu's own errors,
/// another tool's output.
tl::unexpected<Error> RefuseWithoutTable(std::string_view text, std::string_view name,
                                         const std::vector<std::string>& messages);

/// Says why a table that starts like one of ncu's (its header at `line`) can't be read: a summary,
/// a table without metrics.
tl::unexpected<Error> RefuseTable(std::span<const std::string_view> header, std::size_t line,
                                  std::string_view name);

/// A table that has no launch.
tl::unexpected<Error> RefuseEmptyTable(std::string_view name, std::size_t line,
                                       const std::vector<std::string>& messages);

/// A file that ends within a quoted cell of the row at `line`.
tl::unexpected<Error> RefuseUnclosed(std::string_view name, std::size_t line);

/// A table with a NUL byte, at `line`.
tl::unexpected<Error> RefuseNul(std::string_view name, std::size_t line);

/// A row that gives two values for one metric.
tl::unexpected<Error> RefuseTwice(std::string_view name, std::size_t line, std::string_view metric,
                                  std::string_view first, std::string_view second);

/// A row that has not as many fields as the header.
tl::unexpected<Error> RefuseCount(std::string_view name, std::size_t line, std::size_t fields,
                                  std::size_t columns);

/// A row whose ID cell is no number.
tl::unexpected<Error> RefuseId(std::string_view name, std::size_t line, std::string_view id);

/// A file that ends within the row at `line`.
tl::unexpected<Error> RefuseCutOff(std::string_view name, std::size_t line);

}  // namespace croq::profile
