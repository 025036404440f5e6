#include "croq/protocol/fields.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "croq/model/problem_json.h"

namespace croq::protocol {
namespace {

using nlohmann::json;

template <typename Enum, std::size_t N>
using NameTable = std::array<std::pair<Enum, std::string_view>, N>;

constexpr NameTable<Regime, 3> kRegimes{
    {{Regime::kContract, "contract"}, {Regime::kCold, "cold"}, {Regime::kSustained, "sustained"}}};

constexpr NameTable<DuelReference, 3> kReferences{
    {{DuelReference::kPlan, "plan"},
     {DuelReference::kCublas, "cublas"},
     {DuelReference::kCublasLtBest, "cublas_lt_best"}}};

constexpr NameTable<ConstexprValue::Kind, 6> kValueKinds{{{ConstexprValue::Kind::kInt, "int"},
                                                          {ConstexprValue::Kind::kBool, "bool"},
                                                          {ConstexprValue::Kind::kFloat, "float"},
                                                          {ConstexprValue::Kind::kString, "string"},
                                                          {ConstexprValue::Kind::kDType, "dtype"},
                                                          {ConstexprValue::Kind::kNone, "none"}}};

template <typename Enum, std::size_t N>
json EnumToJson(const NameTable<Enum, N>& table, Enum value) {
  for (const auto& [entry, name] : table) {
    if (entry == value)
      return json(std::string(name));
  }
  return json();
}

template <typename Enum, std::size_t N>
Status EnumFromJson(const NameTable<Enum, N>& table, const json& found, Enum& value) {
  std::string names;
  for (const auto& [entry, name] : table) {
    if (found.is_string() && found.get_ref<const std::string&>() == name) {
      value = entry;
      return {};
    }
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return Expected("one of " + names, found);
}

template <typename Integer>
Status IntegerFromJson(const json& found, Integer& value) {
  const auto outside = [&] {
    return Failure(fmt::format("{} does not fit into {} bits", found.dump(), 8 * sizeof(Integer)));
  };
  if (found.is_number_unsigned()) {
    const auto wide = found.get<std::uint64_t>();
    if (!std::in_range<Integer>(wide))
      return outside();
    value = static_cast<Integer>(wide);
    return {};
  }
  if (!found.is_number_integer())
    return Expected("a whole number", found);
  const auto wide = found.get<std::int64_t>();
  if (!std::in_range<Integer>(wide))
    return outside();
  value = static_cast<Integer>(wide);
  return {};
}

}  // namespace

tl::unexpected<Error> Expected(std::string_view what, const json& found) {
  std::string shown = found.dump(-1, ' ', false, json::error_handler_t::replace);
  if (shown.size() > 40)
    shown = shown.substr(0, 40) + "...";
  return Failure(fmt::format("expected {}, found {}", what, shown));
}

json ToJson(bool value) {
  return value;
}
json ToJson(int value) {
  return value;
}
json ToJson(std::int64_t value) {
  return value;
}
json ToJson(std::uint64_t value) {
  return std::to_string(value);
}
json ToJson(std::uint8_t value) {
  return static_cast<int>(value);
}
json ToJson(double value) {
  if (std::isfinite(value))
    return value;
  if (std::isnan(value))
    return "nan";
  return value > 0 ? "inf" : "-inf";
}
json ToJson(const std::string& value) {
  return value;
}
json ToJson(Outcome value) {
  return std::string(NameOf(value));
}
json ToJson(Regime value) {
  return EnumToJson(kRegimes, value);
}
json ToJson(DuelReference value) {
  return EnumToJson(kReferences, value);
}
json ToJson(ConstexprValue::Kind value) {
  return EnumToJson(kValueKinds, value);
}
json ToJson(const ShapeKey& value) {
  return value.text;
}
json ToJson(const std::array<std::int64_t, 3>& value) {
  return json(value);
}
json ToJson(const std::map<std::string, std::int64_t>& value) {
  return json(value);
}

json ToJson(const std::map<std::string, LeverValue>& value) {
  json object = json::object();
  for (const auto& [name, lever] : value) {
    std::visit([&](const auto& typed) { object[name] = typed; }, lever);
  }
  return object;
}

Status FromJson(const json& found, bool& value) {
  if (!found.is_boolean())
    return Expected("true or false", found);
  value = found.get<bool>();
  return {};
}

Status FromJson(const json& found, int& value) {
  return IntegerFromJson(found, value);
}
Status FromJson(const json& found, std::int64_t& value) {
  return IntegerFromJson(found, value);
}
Status FromJson(const json& found, std::uint8_t& value) {
  return IntegerFromJson(found, value);
}

Status FromJson(const json& found, std::uint64_t& value) {
  if (!found.is_string())
    return Expected("a decimal string", found);
  const auto& text = found.get_ref<const std::string&>();
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) {
    return Expected("a decimal string of at most 64 bits", found);
  }
  return {};
}

Status FromJson(const json& found, double& value) {
  if (found.is_number()) {
    value = found.get<double>();
    return {};
  }
  if (found == "nan") {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (found == "inf") {
    value = std::numeric_limits<double>::infinity();
  } else if (found == "-inf") {
    value = -std::numeric_limits<double>::infinity();
  } else {
    return Expected("a number", found);
  }
  return {};
}

Status FromJson(const json& found, std::string& value) {
  if (!found.is_string())
    return Expected("a string", found);
  value = found.get<std::string>();
  return {};
}

Status FromJson(const json& found, Outcome& value) {
  if (found.is_string()) {
    if (const auto outcome = ParseOutcome(found.get_ref<const std::string&>())) {
      value = *outcome;
      return {};
    }
  }
  return Expected("the name of an outcome", found);
}

Status FromJson(const json& found, Regime& value) {
  return EnumFromJson(kRegimes, found, value);
}

Status FromJson(const json& found, DuelReference& value) {
  return EnumFromJson(kReferences, found, value);
}

Status FromJson(const json& found, ConstexprValue::Kind& value) {
  return EnumFromJson(kValueKinds, found, value);
}

Status FromJson(const json& found, ShapeKey& value) {
  if (!found.is_string())
    return Expected("a shape key", found);
  auto key = ParseAnyShapeKey(found.get_ref<const std::string&>());
  if (!key)
    return Failure(key.error().message);
  value = std::move(*key);
  return {};
}

json ToJson(const Problem& value) {
  return value;
}

Status FromJson(const json& found, Problem& value) {
  auto problem = ProblemFromJson(found);
  if (!problem)
    return tl::unexpected(problem.error());
  value = std::move(*problem);
  return {};
}

Status FromJson(const json& found, std::array<std::int64_t, 3>& value) {
  if (!found.is_array() || found.size() != value.size())
    return Expected("three numbers", found);
  for (std::size_t i = 0; i < value.size(); ++i) {
    CROQ_TRY(IntegerFromJson(found[i], value[i]));
  }
  return {};
}

Status FromJson(const json& found, std::map<std::string, std::int64_t>& value) {
  if (!found.is_object())
    return Expected("an object", found);
  value.clear();
  for (const auto& [name, entry] : found.items()) {
    const Status read = IntegerFromJson(entry, value[name]);
    if (!read)
      return Wrap(read.error(), "'" + name + "'");
  }
  return {};
}

Status FromJson(const json& found, std::map<std::string, LeverValue>& value) {
  if (!found.is_object())
    return Expected("an object", found);
  value.clear();
  for (const auto& [name, entry] : found.items()) {
    if (entry.is_string()) {
      value[name] = entry.get<std::string>();
      continue;
    }
    std::int64_t number = 0;
    const Status read = IntegerFromJson(entry, number);
    if (!read)
      return Wrap(read.error(), "'" + name + "'");
    value[name] = number;
  }
  return {};
}

}  // namespace croq::protocol
