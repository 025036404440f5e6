#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace croq::profile {

/// The cells of one row.
using Fields = std::vector<std::string_view>;

/// Places of a table's columns, found by name: NVTX and old releases add and drop some. A column
/// that is not there is at npos.
struct Layout {
  /// `line` is the header as the file has it.
  Layout(const Fields& header, std::string_view line);

  std::size_t Place(std::string_view name) const;

  std::unordered_map<std::string_view, std::size_t> places;
  std::vector<std::size_t> facts;  ///< columns that hold no metric
  std::vector<std::pair<std::size_t, std::size_t>> twins;  ///< columns of one metric
  std::size_t columns = 0;
  bool quoted = false;  ///< ncu quotes all cells; a table that was saved again may have none
  std::size_t id, process, kernel;
  std::size_t section, metric, unit, value, body, rule;
};

/// The cell, empty where the row is too short.
std::string_view At(const Fields& fields, std::size_t place);

/// Whether a wide table's column holds a metric, not a fact of the launch.
bool IsMetricColumn(std::string_view name);

/// Whether a row is the header of one of ncu's tables: ID or Process ID first, kernels somewhere.
bool IsHeader(const Fields& fields);

}  // namespace croq::profile
