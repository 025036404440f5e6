#include "croq/profile/metrics.h"

#include <fmt/format.h>

#include <algorithm>

namespace croq::profile {
namespace {

Metric Missing(std::string unit, std::string why) {
  return {std::nullopt, std::move(unit), "", "", std::move(why)};
}

std::string UnitOf(const MetricSpec& spec) {
  return std::string(spec.unit.empty() ? BaseUnit(spec.dimension) : spec.unit);
}

/// The reading as the spec wants it, or why not.
Metric Convert(const MetricSpec& spec, const Reading& reading, DecimalMark mark) {
  Metric metric = Missing(UnitOf(spec), "");
  const CellNumber number = ParseNumber(reading.value, mark);
  if (!number.ok) {
    metric.why = fmt::format("{}: {}", reading.name, number.why);
    return metric;
  }
  double scale = 1;
  if (spec.dimension != Dimension::kOther) {
    const Unit unit = ParseUnit(reading.unit);
    const bool percent_by_name = spec.dimension == Dimension::kPercent && reading.unit.empty() &&
                                 reading.name.find("pct") != std::string_view::npos;
    if (unit.dimension != spec.dimension && !percent_by_name) {
      metric.why = reading.unit.empty()
                       ? fmt::format("{}: the file gives no unit for it", reading.name)
                       : fmt::format("{}: its unit is '{}', where {} is expected", reading.name,
                                     reading.unit.substr(0, 32), metric.unit);
      return metric;
    }
    scale = percent_by_name ? 1 : unit.scale;
  }
  metric.value = number.value * scale;
  metric.id = reading.name;
  return metric;
}

}  // namespace

ReadingIndex::ReadingIndex(std::span<const Reading> readings) {
  for (const Reading& reading : readings) sorted_.push_back(&reading);
  std::ranges::stable_sort(sorted_, {}, &Reading::name);
}

std::span<const Reading* const> ReadingIndex::Find(std::string_view name) const {
  // Two bounds, not std::ranges::equal_range: clang 14 can't compile that against libstdc++ 12.
  const auto begin = std::ranges::lower_bound(sorted_, name, {}, &Reading::name);
  const auto end = std::ranges::upper_bound(sorted_, name, {}, &Reading::name);
  return {begin, end};
}

Metric LookUp(const MetricSpec& spec, const ReadingIndex& readings, DecimalMark mark) {
  std::string why;
  const auto try_reading = [&](const Reading& reading) {
    Metric metric = Convert(spec, reading, mark);
    if (!metric.value && why.empty())
      why = metric.why;
    return metric;
  };
  for (const std::string_view id : spec.ids) {
    for (const Reading* reading : readings.Find(id)) {
      if (Metric metric = try_reading(*reading); metric.value)
        return metric;
    }
  }
  for (const DetailsLabel& label : spec.labels) {
    for (const Reading* reading : readings.Find(label.label)) {
      if (reading->section.find(label.section) == std::string_view::npos)
        continue;
      if (Metric metric = try_reading(*reading); metric.value) {
        metric.id = !label.id.empty() ? label.id : spec.ids.front();
        metric.label = reading->name;
        return metric;
      }
    }
  }
  if (why.empty()) {
    why = fmt::format("not in the export{}{}", spec.ids.empty() ? "" : ": ",
                      spec.ids.empty() ? "" : spec.ids.front());
  }
  return Missing(UnitOf(spec), why);
}

const Metric& LaunchMetrics::operator[](std::string_view name) const {
  static const Metric kUnknown = Missing("", "no such figure");
  const auto found = metrics.find(name);
  return found == metrics.end() ? kUnknown : found->second;
}

}  // namespace croq::profile
