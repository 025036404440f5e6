#include <algorithm>
#include <optional>
#include <unordered_map>

#include "croq/profile/export.h"
#include "croq/profile/refusal.h"
#include "croq/profile/table_layout.h"
#include "croq/profile/table_row.h"

namespace croq::profile {
namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";
constexpr std::string_view kHeaderStart = R"("ID","Process ID",)";
constexpr std::size_t kMostMessages = 8;

/// `Duration (gpu__time_duration.sum)`, as labels and names together print, -> the name; all else
/// as it is.
std::string_view MetricName(std::string_view cell) {
  const std::size_t open = cell.rfind(" (");
  if (!cell.ends_with(')') || open == std::string_view::npos)
    return cell;
  const std::string_view inner = cell.substr(open + 2, cell.size() - open - 3);
  return inner.find("__") == std::string_view::npos ? cell : inner;
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view name)
      : text_(text), name_(name), csv_(text, *export_.store) {}

  Result<Export> Read();

 private:
  bool SeekHeader(Fields& header);
  Status ReadTable(const Fields& header);
  Status ReadWide(const Layout& layout, const Fields& header);
  Status ReadTall(const Layout& layout);
  LineKind Kind(const Layout& layout);
  Result<bool> ReadRow(const Layout& layout, std::size_t least, Fields& fields);
  void NoteMessage(std::string_view line);
  std::size_t KernelIndex(std::string_view name);
  Launch& AddLaunch(const Layout& layout, const Fields& fields, std::size_t offset);
  Launch& TallLaunch(const Layout& layout, const Fields& fields, std::size_t offset);
  std::size_t Line(std::size_t offset) const { return LineOf(text_, offset); }

  std::string_view text_;
  std::string_view name_;
  Export export_;
  CsvReader csv_;
  MarkVotes votes_;
  std::size_t header_at_ = 0;
  bool any_table_ = false;
  std::unordered_map<std::string, std::size_t> kernel_index_;
  std::unordered_map<std::string, std::size_t> launch_index_;  ///< tall: of this table
};

void Reader::NoteMessage(std::string_view line) {
  const bool message = line.starts_with("==ERROR==") || line.starts_with("==WARNING==");
  if (message && export_.messages.size() < kMostMessages)
    export_.messages.emplace_back(line);
}

/// Goes on to the next line that is a header of ncu's, and reads it.
bool Reader::SeekHeader(Fields& header) {
  while (!csv_.AtEnd()) {
    std::string_view line = csv_.Line();
    // Output that ended without a line feed stands before the header in its line.
    if (const std::size_t glued = line.find(kHeaderStart); glued != std::string_view::npos && glued > 0) {
      NoteMessage(line.substr(0, glued));
      csv_.Seek(csv_.offset() + glued);
      line.remove_prefix(glued);
    }
    const auto cell = FirstCell(line);
    if (cell && (*cell == "ID" || *cell == "Process ID")) {
      header_at_ = csv_.offset();
      csv_.Next(header);
      if (IsHeader(header))
        return true;
      csv_.Seek(header_at_);
    }
    NoteMessage(line);
    csv_.SkipLine();
  }
  return false;
}

LineKind Reader::Kind(const Layout& layout) {
  const std::string_view line = csv_.Line();
  const LineKind kind = KindOf(line, layout.columns);
  const bool last = csv_.offset() + line.size() >= text_.size();
  if (kind == LineKind::kNoise && last && IsStartOfRow(line))
    return LineKind::kRow;
  if (kind == LineKind::kNoise)
    NoteMessage(line);
  return kind;
}

/// Reads the row that starts here; false, and its line skipped, where it is none of the table's.
/// `least` is how many fields the table can't do without.
Result<bool> Reader::ReadRow(const Layout& layout, std::size_t least, Fields& fields) {
  const std::size_t start = csv_.offset();
  const std::string_view line = csv_.Line();
  csv_.Next(fields);
  if (!IsOfTable(line, fields.size(), layout)) {
    csv_.Seek(start);
    csv_.SkipLine();
    return false;
  }
  if (csv_.unclosed())
    return RefuseUnclosed(name_, Line(start));
  // Of a row a metric the columns for rules may be left out; a column a metric ends in a cell.
  const bool wide = layout.metric == std::string_view::npos;
  const bool half = wide && layout.quoted && text_.ends_with(',');
  if (csv_.cut_off() && (fields.size() < least || half))
    return RefuseCutOff(name_, Line(start));
  if (fields.size() < least || fields.size() > layout.columns)
    return RefuseCount(name_, Line(start), fields.size(), layout.columns);
  const std::string_view id = At(fields, layout.id);
  const bool units = wide && IsUnitsRow(fields, layout);
  if (!units && !IsNumber(id))
    return RefuseId(name_, Line(start), id);
  return true;
}

std::size_t Reader::KernelIndex(std::string_view name) {
  const auto [entry, added] = kernel_index_.try_emplace(std::string(name), export_.kernels.size());
  if (added)
    export_.kernels.emplace_back(name);
  return entry->second;
}

Launch& Reader::AddLaunch(const Layout& layout, const Fields& fields, std::size_t offset) {
  Launch& launch = export_.launches.emplace_back();
  launch.kernel = KernelIndex(At(fields, layout.kernel));
  launch.id = At(fields, layout.id);
  launch.process_id = At(fields, layout.process);
  launch.block = At(fields, layout.Place("Block Size"));
  launch.grid = At(fields, layout.Place("Grid Size"));
  launch.compute_capability = At(fields, layout.Place("CC"));
  launch.host = At(fields, layout.Place("Host Name"));
  launch.line = offset;  // becomes a line once all is read
  return launch;
}

Launch& Reader::TallLaunch(const Layout& layout, const Fields& fields, std::size_t offset) {
  const std::string_view id = At(fields, layout.id);
  const std::string_view process = At(fields, layout.process);
  if (!launch_index_.empty()) {
    Launch& last = export_.launches.back();
    if (last.id == id && last.process_id == process)
      return last;
  }
  const std::string key = std::string(id) + "/" + std::string(process);
  const auto [entry, added] = launch_index_.try_emplace(key, export_.launches.size());
  return added ? AddLaunch(layout, fields, offset) : export_.launches[entry->second];
}

Status Reader::ReadWide(const Layout& layout, const Fields& header) {
  WideTable table;
  for (const std::string_view name : header) {
    table.names.emplace_back(name);
    table.is_metric.push_back(IsMetricColumn(name));
  }
  const std::size_t index = export_.tables.size();
  export_.tables.push_back(std::move(table));
  WideTable& kept = export_.tables.back();
  Fields fields;
  bool first = true;
  while (!csv_.AtEnd()) {
    const LineKind kind = Kind(layout);
    if (kind == LineKind::kHeader)
      return {};
    if (kind == LineKind::kNoise) {
      csv_.SkipLine();
      continue;
    }
    const std::size_t start = csv_.offset();
    CROQ_ASSIGN(const bool is_row, ReadRow(layout, layout.columns, fields));
    if (!is_row)
      continue;
    if (IsUnitsRow(fields, layout)) {
      if (first)
        kept.units.assign(fields.begin(), fields.end());
      continue;
    }
    first = false;
    for (const auto& twins : layout.twins) {
      if (Differ(twins, fields, kept.units))
        return RefuseTwice(name_, Line(start), kept.names[twins.first], fields[twins.first],
                           fields[twins.second]);
    }
    for (std::size_t i = 0; i < layout.columns; ++i) {
      if (kept.is_metric[i])
        votes_.Add(fields[i]);
    }
    Launch& launch = AddLaunch(layout, fields, start);
    launch.table = index;
    launch.row = text_.substr(start, csv_.offset() - start);
  }
  return {};
}

Status Reader::ReadTall(const Layout& layout) {
  launch_index_.clear();
  const std::size_t rule_type = layout.Place("Rule Type");
  const std::size_t rule_text = layout.Place("Rule Description");
  const std::size_t speedup_type = layout.Place("Estimated Speedup Type");
  const std::size_t speedup = layout.Place("Estimated Speedup");
  Fields fields;
  while (!csv_.AtEnd()) {
    const LineKind kind = Kind(layout);
    if (kind == LineKind::kHeader)
      return {};
    if (kind == LineKind::kNoise) {
      csv_.SkipLine();
      continue;
    }
    const std::size_t start = csv_.offset();
    CROQ_ASSIGN(const bool is_row, ReadRow(layout, layout.value + 1, fields));
    if (!is_row)
      continue;
    Launch& launch = TallLaunch(layout, fields, start);
    if (const std::string_view rule = At(fields, layout.rule); !rule.empty()) {
      launch.rules.push_back({At(fields, layout.section), rule, At(fields, rule_type),
                              At(fields, rule_text), At(fields, speedup_type),
                              At(fields, speedup)});
    }
    // Items of a section's body (charts, tables) repeat a metric's name for each of their parts.
    const std::string_view metric = MetricName(At(fields, layout.metric));
    if (metric.empty() || !At(fields, layout.body).empty())
      continue;
    votes_.Add(At(fields, layout.value));
    launch.readings.push_back(
        {At(fields, layout.section), metric, At(fields, layout.unit), At(fields, layout.value)});
  }
  return {};
}

Status Reader::ReadTable(const Fields& header) {
  const Layout layout(header, text_.substr(header_at_, 1));
  const bool metrics =
      std::ranges::any_of(header, [](std::string_view name) { return name.find("__") != std::string_view::npos; });
  const bool tall = layout.metric != std::string_view::npos;
  const bool summary = layout.Place("Invocations") != std::string_view::npos;
  if (csv_.unclosed())
    return RefuseUnclosed(name_, Line(header_at_));
  if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos)
    return RefuseNul(name_, Line(nul));
  if (summary || layout.id == std::string_view::npos || (tall ? layout.value == std::string_view::npos : !metrics))
    return RefuseTable(header, Line(header_at_), name_);
  const Shape shape = tall ? Shape::kTall : Shape::kWide;
  if (any_table_ && export_.shape != shape) {
    return UsageFailure(std::string(name_) + ":" + std::to_string(Line(header_at_)) +
                        ":1: the file holds tables of two pages; classify each in a file of its "
                        "own");
  }
  any_table_ = true;
  export_.shape = shape;
  return tall ? ReadTall(layout) : ReadWide(layout, header);
}

Result<Export> Reader::Read() {
  if (text_.starts_with(kBom))
    csv_.Seek(kBom.size());
  Fields header;
  while (SeekHeader(header)) CROQ_TRY(ReadTable(header));
  if (!any_table_)
    return RefuseWithoutTable(text_, name_, export_.messages);
  if (export_.launches.empty())
    return RefuseEmptyTable(name_, Line(header_at_), export_.messages);
  export_.mark = votes_.Winner();
  std::size_t line = 1;
  std::size_t at = 0;
  for (Launch& launch : export_.launches) {
    const std::size_t offset = launch.line;
    line += LineOf(text_.substr(at, offset - at), offset - at) - 1;
    at = offset;
    launch.line = line;
  }
  return std::move(export_);
}

}  // namespace

Result<Export> ReadExport(std::string_view text, std::string_view name) {
  return Reader(text, name).Read();
}

}  // namespace croq::profile
