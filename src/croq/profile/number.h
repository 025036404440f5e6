#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "croq/base/result.h"

namespace croq::profile {

/// Which character parts whole from fraction; the other one groups thousands.
enum class DecimalMark { kPoint, kComma };

/// Finds out a file's decimal mark from all of its cells: most, like `1,234`, fit both, but one
/// such as `66,97` or `1,234.50` proves which it is.
class MarkVotes {
 public:
  void Add(std::string_view cell);
  /// What most of the cells that prove something prove; a point where none does.
  DecimalMark Winner() const;

 private:
  std::size_t point_ = 0;
  std::size_t comma_ = 0;
};

/// A cell's number, or why it holds none, as a phrase: `the cell is empty: not collected`. Reads
/// plain and grouped numbers (groups of three, parted by the other mark, an apostrophe or a narrow
/// space) and what `--print-metric-instances` adds: `182 (182)` is 182. Infinity and nan are none.
struct CellNumber {
  bool ok = false;
  double value = 0;
  std::string why;
};
CellNumber ParseNumber(std::string_view cell, DecimalMark mark);

}  // namespace croq::profile
