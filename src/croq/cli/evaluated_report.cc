#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "croq/cli/evaluated.h"

namespace croq::cli {
namespace {

using nlohmann::json;
using protocol::EvaluatedConfig;

constexpr std::size_t kConfigsShown = 16;

std::string ValueText(const json& value) {
  if (value.contains("text"))
    return value["text"].is_string() ? value["text"].get<std::string>() : "?";
  const json& literal = value.contains("value") ? value["value"] : value;
  if (literal.is_null())
    return "None";
  if (literal.is_boolean())
    return literal.get<bool>() ? "True" : "False";
  return literal.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string ConfigText(const EvaluatedConfig& config) {
  std::string text;
  for (const auto& [name, value] : config.kwargs.items())
    text += (text.empty() ? "" : ", ") + name + "=" + ValueText(value);
  for (const auto& [name, value] : config.options)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return text + (config.pre_hook ? ", pre_hook" : "");
}

bool IsCut(const std::vector<EvaluatedConfig>& configs) {
  return configs.size() >= source::kMostMadeConfigs;
}

std::string ConfigsText(const std::string& title, const std::vector<EvaluatedConfig>& configs,
                        std::size_t indent) {
  const std::string margin(indent, ' ');
  std::string text = fmt::format("{}{}: {}{} config{}\n", margin, title,
                                 IsCut(configs) ? "at least " : "", configs.size(),
                                 configs.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(configs.size(), kConfigsShown); ++i)
    text += fmt::format("{}  {}\n", margin, ConfigText(configs[i]));
  if (configs.size() > kConfigsShown)
    text += fmt::format("{}  and {} more (--json has {})\n", margin,
                        configs.size() - kConfigsShown,
                        IsCut(configs) ? fmt::format("the first {}", configs.size()) : "all");
  return text;
}

json ConfigsJson(const std::vector<EvaluatedConfig>& configs) {
  json list = json::array();
  for (const EvaluatedConfig& config : configs) {
    list.push_back({{"kwargs", config.kwargs},
                    {"options", config.options},
                    {"pre_hook", config.pre_hook}});
  }
  return list;
}

}  // namespace

json EvaluatedJson(const protocol::EvaluatedKernel& kernel) {
  return {{"name", kernel.name},
          {"function", kernel.function},
          {"line", kernel.line},
          {"configs", ConfigsJson(kernel.configs)},
          {"pruned", kernel.prunes ? ConfigsJson(kernel.pruned) : json()},
          {"cut", IsCut(kernel.configs) || IsCut(kernel.pruned)},
          {"problem", kernel.problem.empty() ? json() : json(kernel.problem)}};
}

std::string EvaluatedText(const protocol::EvaluatedKernel& kernel, std::size_t indent) {
  std::string text = ConfigsText("evaluated", kernel.configs, indent);
  if (kernel.prunes && kernel.problem.empty())
    text += ConfigsText("after pruning", kernel.pruned, indent);
  return text;
}

}  // namespace croq::cli
