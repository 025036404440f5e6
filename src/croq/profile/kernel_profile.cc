#include "croq/profile/kernel_profile.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "croq/contract/figures.h"

namespace croq::profile {

const Figure* KernelProfile::Find(std::string_view name) const {
  const auto found = figures.find(name);
  return found == figures.end() ? nullptr : &found->second;
}

void KernelProfile::Set(std::string name, double value, std::string metric) {
  if (std::isfinite(value))
    figures.insert_or_assign(std::move(name), Figure{value, std::move(metric)});
}

std::string FormatFigure(std::string_view name, const Figure& figure) {
  const contract::FigureInfo* info = contract::FindFigure(name);
  std::string_view unit = info == nullptr ? "" : info->unit;
  std::string_view shown = name;
  if (unit == "%" && shown.ends_with("_pct"))
    shown.remove_suffix(4);
  const bool whole = figure.value == std::floor(figure.value) || std::abs(figure.value) >= 1e4;
  const std::string number = unit == "%" ? fmt::format("{:.1f}", figure.value)
                             : whole     ? fmt::format("{:.0f}", figure.value)
                                         : fmt::format("{:.2f}", figure.value);
  const char* gap = unit.empty() || unit == "%" ? "" : " ";
  return fmt::format("{} {}{}{} ({})", shown, number, gap, unit, figure.metric);
}

nlohmann::json ToJson(const KernelProfile& evidence) {
  nlohmann::json figures = nlohmann::json::object();
  for (const auto& [name, figure] : evidence.figures) {
    figures[name] = {{"value", figure.value}, {"metric", figure.metric}};
  }
  return {{"bottleneck", evidence.bottleneck}, {"level", evidence.level},
          {"confidence", evidence.confidence}, {"runner_up", evidence.runner_up},
          {"static", evidence.is_static},      {"predicted", evidence.predicted},
          {"kernel", evidence.kernel},         {"candidate", evidence.candidate},
          {"figures", std::move(figures)}};
}

Result<KernelProfile> KernelProfileFromJson(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("figures") || !json.at("figures").is_object())
    return Failure("a stored profile is damaged: it has no figures");
  KernelProfile evidence;
  evidence.bottleneck = json.value("bottleneck", "");
  evidence.level = json.value("level", "");
  evidence.confidence = json.value("confidence", "");
  evidence.runner_up = json.value("runner_up", "");
  evidence.is_static = json.value("static", false);
  evidence.predicted = json.value("predicted", false);
  evidence.kernel = json.value("kernel", "");
  evidence.candidate = json.value("candidate", "");
  for (const auto& [name, figure] : json.at("figures").items()) {
    if (figure.is_object() && figure.contains("value") && figure.at("value").is_number())
      evidence.Set(name, figure.at("value").get<double>(), figure.value("metric", ""));
  }
  return evidence;
}

}  // namespace croq::profile
