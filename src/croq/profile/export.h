#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "croq/base/result.h"
#include "croq/profile/csv.h"
#include "croq/profile/number.h"

namespace croq::profile {

/// What ncu prints: a column a metric (`--page raw`), or a row a metric (details, `--metrics`).
enum class Shape { kWide, kTall };

/// One figure as the file has it.
struct Reading {
  std::string_view section;  ///< empty in a wide table
  std::string_view name;     ///< a metric id, or a label of the details page
  std::string_view unit;
  std::string_view value;
};

/// One of NVIDIA's rules about a launch, from the details page.
struct RuleRow {
  std::string_view section;
  std::string_view name;  ///< SOLBottleneck
  std::string_view type;  ///< OPT, INF, WRN
  std::string_view text;
  std::string_view speedup_type;  ///< global, local; may be empty
  std::string_view speedup;       ///< estimated, in %; may be empty
};

struct WideTable {
  std::vector<std::string> names;  ///< of all columns
  std::vector<std::string> units;  ///< one a column; empty where the table has no units row
  std::vector<bool> is_metric;
};

/// One launch of a kernel. Its views are into the text, or into the export's store.
struct Launch {
  std::size_t kernel = 0;  ///< index into Export::kernels
  std::string_view id;
  std::string_view process_id;
  std::string_view block;  ///< `(256, 1, 1)`; empty in old tables
  std::string_view grid;
  std::string_view compute_capability;  ///< `9.0`; empty in old tables
  std::string_view host;
  std::size_t line = 1;

  std::size_t table = 0;          ///< wide: index into Export::tables
  std::string_view row;           ///< wide: its text, read again when it is asked for
  std::vector<Reading> readings;  ///< tall
  std::vector<RuleRow> rules;     ///< tall
};

/// A file that ncu exported, read. It points into the text, which must outlive it.
struct Export {
  Shape shape = Shape::kWide;
  DecimalMark mark = DecimalMark::kPoint;
  std::vector<std::string> kernels;  ///< names as printed, in order of appearance
  std::vector<Launch> launches;
  std::vector<WideTable> tables;
  std::vector<std::string> messages;  ///< ==ERROR== and ==WARNING== lines around the table
  std::shared_ptr<FieldStore> store = std::make_shared<FieldStore>();

  const std::string& KernelOf(const Launch& launch) const { return kernels[launch.kernel]; }
  /// Every figure of a launch, of either shape.
  std::vector<Reading> ReadingsOf(const Launch& launch) const;
};

/// Reads what `ncu --csv` printed, whatever stands around the table: docs/classify.md lists the
/// shapes. `name` is the file's, for messages. Usage error where it is no such table or holds no
/// launch; it says what the file looks like and which command makes one that can be read.
Result<Export> ReadExport(std::string_view text, std::string_view name);

}  // namespace croq::profile
