#include "croq/profile/export.h"

#include <algorithm>

namespace croq::profile {

std::vector<Reading> Export::ReadingsOf(const Launch& launch) const {
  if (shape == Shape::kTall)
    return launch.readings;
  const WideTable& table = tables[launch.table];
  // Metric cells hold no doubled quotes that anyone reads, so theirs may go.
  FieldStore scratch;
  CsvReader reader(launch.row, scratch);
  std::vector<std::string_view> fields;
  reader.Next(fields);
  std::vector<Reading> readings;
  readings.reserve(fields.size());
  const std::size_t count = std::min(fields.size(), table.names.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (!table.is_metric[i])
      continue;
    const bool in_text = fields[i].data() >= launch.row.data() &&
                         fields[i].data() <= launch.row.data() + launch.row.size();
    const std::string_view unit =
        table.units.empty() ? std::string_view() : std::string_view(table.units[i]);
    readings.push_back({"", table.names[i], unit, in_text ? fields[i] : std::string_view()});
  }
  return readings;
}

}  // namespace croq::profile
