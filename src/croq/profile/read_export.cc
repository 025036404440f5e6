#include <algorithm>
#include <optional>
#include <unordered_map>

#include "croq/profile/export.h"
#include "croq/profile/refusal.h"
#include "croq/profile/table_layout.h"

namespace croq::profile {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::string_view kBom = "\xEF\xBB\xBF";
constexpr std::string_view kHeaderStart = R"("ID","Process ID",)";
constexpr std::size_t kMostMessages = 8;

bool IsDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == kNone;
}

/// What the first cell of a line holds, read without taking the line as CSV: the program's own
/// output may have quotes that nobody closes. Nothing where the line can't be a row.
std::optional<std::string_view> FirstCell(std::string_view line) {
  if (!line.starts_with('"')) {
    const std::size_t comma = line.find(',');
    return comma == kNone ? std::nullopt : std::optional(line.substr(0, comma));
  }
  const std::size_t end = line.find('"', 1);
  if (end == kNone || end + 1 >= line.size() || line[end + 1] != ',')
    return std::nullopt;
  return line.substr(1, end - 1);
}

/// `Duration (gpu__time_duration.sum)`, as labels and names together print, -> the name; all else as
/// it is.
std::string_view MetricName(std::string_view cell) {
  const std::size_t open = cell.rfind(" (");
  if (!cell.ends_with(')') || open == kNone)
    return cell;
  const std::string_view inner = cell.substr(open + 2, cell.size() - open - 3);
  return inner.find("__") == kNone ? cell : inner;
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
  enum class LineKind { kRow, kHeader, kNoise };
  LineKind Kind();
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
    if (const std::size_t glued = line.find(kHeaderStart); glued != kNone && glued > 0) {
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

/// A row starts with the launch's number, a units row with an empty cell.
Reader::LineKind Reader::Kind() {
  const std::string_view line = csv_.Line();
  const auto cell = FirstCell(line);
  if (cell && (cell->empty() || IsDigits(*cell)))
    return LineKind::kRow;
  const bool id = cell && (*cell == "ID" || *cell == "Process ID");
  if (id && line.find("Kernel Name") != kNone)
    return LineKind::kHeader;
  NoteMessage(line);
  return LineKind::kNoise;
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
    const LineKind kind = Kind();
    if (kind == LineKind::kHeader)
      return {};
    if (kind == LineKind::kNoise) {
      csv_.SkipLine();
      continue;
    }
    const std::size_t start = csv_.offset();
    csv_.Next(fields);
    if (fields.size() < layout.columns) {
      if (fields.size() > layout.kernel && csv_.cut_off())
        return RefuseCutOff(name_, Line(start));
      csv_.Seek(start);
      csv_.SkipLine();
      continue;
    }
    const bool units = At(fields, layout.id).empty() && At(fields, layout.kernel).empty();
    if (units && first)
      kept.units.assign(fields.begin(), fields.end());
    first = first && units;
    if (units || At(fields, layout.id).empty())
      continue;
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
    const LineKind kind = Kind();
    if (kind == LineKind::kHeader)
      return {};
    if (kind == LineKind::kNoise) {
      csv_.SkipLine();
      continue;
    }
    const std::size_t start = csv_.offset();
    csv_.Next(fields);
    if (fields.size() <= layout.value || At(fields, layout.id).empty()) {
      if (fields.size() > layout.kernel && fields.size() <= layout.value && csv_.cut_off())
        return RefuseCutOff(name_, Line(start));
      csv_.Seek(start);
      csv_.SkipLine();
      continue;
    }
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
  const Layout layout(header);
  const bool metrics =
      std::ranges::any_of(header, [](std::string_view name) { return name.find("__") != kNone; });
  const bool tall = layout.metric != kNone;
  const bool summary = layout.Place("Invocations") != kNone;
  if (summary || layout.id == kNone || (tall ? layout.value == kNone : !metrics))
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
