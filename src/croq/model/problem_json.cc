#include "croq/model/problem_json.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

namespace croq {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<TensorRole, const char*>, 3> kRoles{
    {{TensorRole::kInput, "input"}, {TensorRole::kOutput, "output"}, {TensorRole::kInOut, "inout"}}};

constexpr std::array<std::pair<Distribution, const char*>, 5> kDistributions{
    {{Distribution::kNormal, "normal"},
     {Distribution::kUniform, "uniform"},
     {Distribution::kInteger, "integer"},
     {Distribution::kConstant, "constant"},
     {Distribution::kArange, "arange"}}};

template <typename E, std::size_t N>
const char* NameIn(const std::array<std::pair<E, const char*>, N>& table, E value) {
  for (const auto& [one, name] : table) {
    if (one == value) return name;
  }
  return "";
}

/// Throws, as nlohmann's own accessors do; ProblemFromJson catches.
template <typename E, std::size_t N>
E ValueIn(const std::array<std::pair<E, const char*>, N>& table, const json& name) {
  for (const auto& [one, known] : table) {
    if (name == known) return one;
  }
  throw std::runtime_error("unknown name " + name.dump());
}

json TensorJson(const TensorSpec& tensor) {
  return {{"name", tensor.name},
          {"element", tensor.element},
          {"shape", tensor.shape},
          {"role", NameIn(kRoles, tensor.role)},
          {"distribution", NameIn(kDistributions, tensor.distribution)},
          {"first", tensor.first},
          {"second", tensor.second}};
}

TensorSpec ReadTensor(const json& from) {
  TensorSpec tensor;
  from.at("name").get_to(tensor.name);
  from.at("element").get_to(tensor.element);
  if (!ElementBytes(tensor.element)) throw std::runtime_error("unknown element " + tensor.element);
  from.at("shape").get_to(tensor.shape);
  tensor.role = ValueIn(kRoles, from.at("role"));
  tensor.distribution = ValueIn(kDistributions, from.at("distribution"));
  from.at("first").get_to(tensor.first);
  from.at("second").get_to(tensor.second);
  return tensor;
}

json ArgumentJson(const EntryArgument& argument) {
  json out{{"name", argument.name}};
  if (const auto* tensor = std::get_if<std::size_t>(&argument.value)) {
    out["tensor"] = *tensor;
    return out;
  }
  out["value"] = std::visit(
      [](const auto& value) -> json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
          return nullptr;
        } else {
          return value;
        }
      },
      argument.value);
  return out;
}

EntryArgument ReadArgument(const json& from, std::size_t tensors) {
  EntryArgument argument;
  from.at("name").get_to(argument.name);
  if (from.contains("tensor")) {
    const auto index = from.at("tensor").get<std::size_t>();
    if (index >= tensors) throw std::runtime_error("argument " + argument.name + ": no such tensor");
    argument.value = index;
    return argument;
  }
  const json& value = from.at("value");
  if (value.is_null()) argument.value = std::monostate{};
  else if (value.is_boolean()) argument.value = value.get<bool>();
  else if (value.is_number_integer()) argument.value = value.get<std::int64_t>();
  else if (value.is_number()) argument.value = value.get<double>();
  else argument.value = value.get<std::string>();
  return argument;
}

Problem ReadProblem(const json& from) {
  Problem problem;
  Result<ShapeKey> key = ParseAnyShapeKey(from.at("shape_key").get<std::string>());
  if (!key) throw std::runtime_error(key.error().message);
  problem.key = std::move(*key);
  const auto names = from.at("dims").at("names").get<std::vector<std::string>>();
  for (std::size_t i = 0; i < names.size() && i < problem.key.dimensions.size(); ++i) {
    problem.key.dimensions[i].name = names[i];
  }
  from.at("entry").get_to(problem.entry);
  from.at("reference").get_to(problem.reference);
  for (const json& tensor : from.at("tensors")) problem.tensors.push_back(ReadTensor(tensor));
  for (const json& argument : from.at("arguments")) {
    problem.arguments.push_back(ReadArgument(argument, problem.tensors.size()));
  }
  from.at("flops").get_to(problem.flops);
  from.at("bytes").get_to(problem.bytes);
  from.at("absolute_tolerance").get_to(problem.absolute_tolerance);
  problem.key.stated_flops = problem.flops;
  problem.key.stated_bytes = problem.bytes;
  return problem;
}

}  // namespace

void to_json(json& out, const Problem& problem) {
  json names = json::array();
  json values = json::array();
  for (const Dimension& dimension : problem.key.dimensions) {
    names.push_back(dimension.name);
    values.push_back(dimension.value);
  }
  json tensors = json::array();
  for (const TensorSpec& tensor : problem.tensors) tensors.push_back(TensorJson(tensor));
  json arguments = json::array();
  for (const EntryArgument& argument : problem.arguments) {
    arguments.push_back(ArgumentJson(argument));
  }
  out = {{"shape_key", problem.key.text},
         {"operator", problem.key.OperatorWord()},
         {"dtype", FactsOf(problem.key.dtype).name},
         {"dims", {{"names", std::move(names)}, {"values", std::move(values)}}},
         {"entry", problem.entry},
         {"reference", problem.reference},
         {"tensors", std::move(tensors)},
         {"arguments", std::move(arguments)},
         {"flops", problem.flops},
         {"bytes", problem.bytes},
         {"absolute_tolerance", problem.absolute_tolerance}};
}

Result<Problem> ProblemFromJson(const json& from) {
  try {
    return ReadProblem(from);
  } catch (const std::exception& wrong) {
    return Failure(fmt::format("a brought problem is not as croq writes it: {}", wrong.what()));
  }
}

}  // namespace croq
