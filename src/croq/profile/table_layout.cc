#include "croq/profile/table_layout.h"

#include <algorithm>
#include <array>

namespace croq::profile {
namespace {

/// Columns of every table that are no metric; those of NVTX hold `Domain:`.
constexpr std::array<std::string_view, 12> kFixed{
    "ID",      "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time",
    "Context", "Stream",     "Block Size",   "Grid Size", "Device",      "CC"};

}  // namespace

Layout::Layout(const Fields& header, std::string_view line)
    : columns(header.size()), quoted(line.starts_with('"')) {
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto [place, added] = places.try_emplace(header[i], i);
    if (!IsMetricColumn(header[i]))
      facts.push_back(i);
    else if (!added)
      twins.emplace_back(place->second, i);
  }
  id = Place("ID");
  process = Place("Process ID");
  kernel = Place("Kernel Name");
  section = Place("Section Name");
  metric = Place("Metric Name");
  unit = Place("Metric Unit");
  value = Place("Metric Value");
  body = Place("Body Item Label");
  rule = Place("Rule Name");
}

std::size_t Layout::Place(std::string_view name) const {
  const auto found = places.find(name);
  return found == places.end() ? std::string_view::npos : found->second;
}

std::string_view At(const Fields& fields, std::size_t place) {
  return place < fields.size() ? fields[place] : std::string_view();
}

bool IsMetricColumn(std::string_view name) {
  return std::ranges::find(kFixed, name) == kFixed.end() && name.find("Domain:") == std::string_view::npos;
}

bool IsHeader(const Fields& fields) {
  return !fields.empty() && (fields[0] == "ID" || fields[0] == "Process ID") &&
         std::ranges::find(fields, "Kernel Name") != fields.end();
}

}  // namespace croq::profile
