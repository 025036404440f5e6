#include "croq/backend/made_lists.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "croq/source/outline.h"

namespace croq::backend {
namespace {

using nlohmann::json;

/// A kwarg's value as Python text; nothing where it is no literal.
std::optional<std::string> PythonText(const json& value) {
  if (!value.is_object() || !value.contains("value"))
    return std::nullopt;
  const json& literal = value["value"];
  if (literal.is_null())
    return source::ToText(source::Literal());
  if (literal.is_boolean())
    return source::ToText(source::Literal(literal.get<bool>()));
  if (literal.is_number_integer())
    return source::ToText(source::Literal(literal.get<std::int64_t>()));
  if (literal.is_number_float())
    return source::ToText(source::Literal(literal.get<double>()));
  if (literal.is_string())
    return source::ToText(source::Literal(literal.get<std::string>()));
  return std::nullopt;
}

source::MadeConfig ToMadeConfig(const protocol::EvaluatedConfig& config) {
  source::MadeConfig made;
  made.pre_hook = config.pre_hook;
  const auto add = [&](const std::string& name, std::string text) {
    if (const Status added = source::AddValue(made.values, name, std::move(text)); !added)
      made.problem = added.error().message;
  };
  for (const auto& [name, value] : config.kwargs.items()) {
    const std::optional<std::string> text = PythonText(value);
    if (text || source::KindOfKey(name) != source::KeyKind::kConstant)
      add(name, text.value_or("?"));
    else
      made.problem = fmt::format("the value of '{}' is no literal", name);
  }
  for (const auto& [name, value] : config.options) add(name, std::to_string(value));
  return made;
}

}  // namespace

Result<std::vector<source::MadeList>> ToMadeLists(const std::string& file,
                                                  const protocol::EvaluateReply& reply) {
  if (!reply.ok)
    return UsageFailure(fmt::format("{}: {}", file, reply.message));
  std::vector<source::MadeList> lists;
  for (const protocol::EvaluatedKernel& kernel : reply.kernels) {
    source::MadeList list{kernel.name, kernel.function, kernel.line, {}};
    for (const protocol::EvaluatedConfig& config : kernel.configs)
      list.configs.push_back(ToMadeConfig(config));
    lists.push_back(std::move(list));
  }
  return lists;
}

}  // namespace croq::backend
