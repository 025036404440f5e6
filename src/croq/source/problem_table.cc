#include "croq/source/problem_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "croq/base/suggest.h"
#include "croq/source/literal.h"
#include "croq/source/table_tensors.h"
#include "croq/source/table_values.h"

namespace croq::source {
namespace {

const std::vector<std::string> kKeys{"entry",   "operator",  "dtype", "dims",  "inputs", "inout",
                                     "outputs", "reference", "flops", "bytes", "levers", "tolerance"};
constexpr const char* kNeeded[] = {"entry", "operator", "dtype", "dims", "reference"};

/// Reads one table; methods in the order that they are called.
class TableReader {
 public:
  TableReader(const SyntaxTree& tree, const contract::Contract& contract, const TableOptions& options)
      : tree_(tree), contract_(contract), options_(options) {}

  Result<ProblemTable> Read(const Node& node);

 private:
  Status CheckNeeded(const Node& node) const;
  Result<std::vector<Dimension>> Dimensions() const;
  Result<DType> ReadDType() const;
  Result<const Node*> Function(const std::string& name, const Node& place,
                               const std::string& what) const;
  Status Key();
  Status Reference(const Node& place);
  Status Worth();
  Status Tolerance();
  Result<std::vector<Lever>> Levers() const;
  const DictEntry* Find(std::string_view key) const { return FindKey(table_, key); }

  const SyntaxTree& tree_;
  const contract::Contract& contract_;
  const TableOptions& options_;
  std::vector<DictEntry> table_;
  Problem problem_;
};

Status TableReader::CheckNeeded(const Node& node) const {
  for (const char* key : kNeeded) {
    if (Find(key) != nullptr) continue;
    if (std::string_view(key) == "entry" && !options_.entry.empty()) continue;
    return WrongAt(tree_, node, fmt::format("{} has no \"{}\" (docs/brought.md)", kTableName, key));
  }
  return {};
}

Result<std::vector<Dimension>> TableReader::Dimensions() const {
  CROQ_ASSIGN(const std::vector<DictEntry> entries, ReadDict(tree_, *Find("dims")->value, "dims"));
  std::vector<Dimension> dimensions;
  std::vector<std::string> names;
  for (const DictEntry& entry : entries) {
    const auto given = options_.dims.find(std::string(entry.key));
    std::optional<std::int64_t> value = IntLiteral(*entry.value);
    if (given != options_.dims.end()) value = given->second;
    if (!value || *value < 1 || *value > std::numeric_limits<std::int32_t>::max()) {
      return WrongAt(tree_, *entry.value,
                     fmt::format("dimension {} must be a whole number from 1 to 2147483647, such as "
                                 "4096", entry.key));
    }
    dimensions.push_back({std::string(entry.key), *value});
    names.emplace_back(entry.key);
  }
  for (const auto& [name, value] : options_.dims) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return UsageFailure(fmt::format("--dims: {} has no dimension '{}' (there are {})", tree_.path(),
                                    name, fmt::join(names, ", ")));
  }
  return dimensions;
}

Result<DType> TableReader::ReadDType() const {
  const Node& node = *Find("dtype")->value;
  CROQ_ASSIGN(const std::string name, ReadString(tree_, node, "dtype"));
  const std::optional<DType> dtype = ParseDType(name);
  if (dtype) return *dtype;
  std::vector<std::string> known;
  for (const DType one : kAllDTypes) known.emplace_back(FactsOf(one).name);
  return WrongAt(tree_, node, fmt::format("'{}' is no dtype of a shape key (there are {})", name,
                                          fmt::join(known, ", ")));
}

Status TableReader::Key() {
  CROQ_ASSIGN(std::vector<Dimension> dimensions, Dimensions());
  CROQ_ASSIGN(const DType dtype, ReadDType());
  const Node& word_node = *Find("operator")->value;
  CROQ_ASSIGN(const std::string word, ReadString(tree_, word_node, "operator"));
  Result<ShapeKey> key = MakeBroughtKey(word, dtype, std::move(dimensions));
  if (!key) return WrongAt(tree_, word_node, key.error().message);
  problem_.key = std::move(*key);
  return {};
}

Result<const Node*> TableReader::Function(const std::string& name, const Node& place,
                                          const std::string& what) const {
  const Node* function = FindFunction(tree_, name);
  if (function != nullptr) return function;
  const std::string near = Suggest(name, FunctionNames(tree_));
  return WrongAt(tree_, place,
                 fmt::format("{} '{}' is no function of this file{}", what, name,
                             near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

/// The reference takes those of the entry's arguments that it has as parameters.
Status TableReader::Reference(const Node& place) {
  CROQ_ASSIGN(problem_.reference, ReadString(tree_, place, "reference"));
  CROQ_ASSIGN(const Node* function, Function(problem_.reference, place, "reference"));
  for (const FunctionParameter& parameter : SignatureOf(*function).parameters) {
    const bool given = std::any_of(
        problem_.arguments.begin(), problem_.arguments.end(), [&](const EntryArgument& argument) {
          const auto* tensor = std::get_if<std::size_t>(&argument.value);
          return argument.name == parameter.name &&
                 (tensor == nullptr || problem_.tensors[*tensor].role != TensorRole::kOutput);
        });
    if (given || !parameter.required) continue;
    return WrongAt(tree_, *function,
                   fmt::format("{} takes '{}', which is none of CROQ's inputs and inout",
                               problem_.reference, parameter.name));
  }
  return {};
}

Status TableReader::Worth() {
  const auto read = [&](const char* key, double& target) -> Status {
    const DictEntry* entry = Find(key);
    if (entry == nullptr) return {};
    CROQ_ASSIGN(target, ReadNumber(tree_, *entry->value, problem_.key.dimensions, key));
    if (target > 0) return {};
    return WrongAt(tree_, *entry->value, fmt::format("{} is {:g}; it must be above 0", key, target));
  };
  CROQ_TRY(read("flops", problem_.flops));
  CROQ_TRY(read("bytes", problem_.bytes));
  problem_.key.stated_flops = problem_.flops;
  problem_.key.stated_bytes = problem_.bytes;
  return {};
}

Status TableReader::Tolerance() {
  const DictEntry* entry = Find("tolerance");
  if (entry == nullptr) {
    problem_.absolute_tolerance = contract_.ToleranceOf(problem_.key.dtype).value_or(0);
    if (problem_.absolute_tolerance > 0) return {};
    return UsageFailure(fmt::format("{} has no tolerance for {}; give {} a \"tolerance\"",
                                    contract_.file.string(), FactsOf(problem_.key.dtype).name,
                                    kTableName));
  }
  CROQ_ASSIGN(problem_.absolute_tolerance,
              ReadNumber(tree_, *entry->value, problem_.key.dimensions, "tolerance"));
  if (problem_.absolute_tolerance > 0) return {};
  return WrongAt(tree_, *entry->value, "tolerance must be above 0, such as 1e-3");
}

Result<std::vector<Lever>> TableReader::Levers() const {
  std::vector<Lever> levers;
  const DictEntry* entry = Find("levers");
  if (entry == nullptr) return levers;
  CROQ_ASSIGN(const std::vector<DictEntry> entries, ReadDict(tree_, *entry->value, "levers"));
  for (const DictEntry& one : entries) {
    Lever lever{std::string(one.key), {}};
    CROQ_ASSIGN(const std::vector<const Node*> values,
                ReadSequence(tree_, *one.value, fmt::format("the values of lever {}", one.key)));
    for (const Node* node : values) {
      const std::optional<std::int64_t> whole = IntLiteral(*node);
      if (!whole && !node->IsString()) {
        return WrongAt(tree_, *node, fmt::format("a value of lever {} must be a whole number or a "
                                                 "string", one.key));
      }
      const LeverValue value = whole ? LeverValue(*whole) : LeverValue(std::string(node->text));
      if (std::find(lever.values.begin(), lever.values.end(), value) == lever.values.end()) {
        lever.values.push_back(value);
      }
    }
    if (lever.values.empty()) {
      return WrongAt(tree_, *one.value, fmt::format("lever {} has no value", one.key));
    }
    levers.push_back(std::move(lever));
  }
  return levers;
}

Result<ProblemTable> TableReader::Read(const Node& node) {
  CROQ_ASSIGN(table_, ReadDict(tree_, node, kTableName));
  CROQ_TRY(CheckKeys(tree_, table_, kKeys, kTableName));
  CROQ_TRY(CheckNeeded(node));
  CROQ_TRY(Key());
  const DictEntry* entry = Find("entry");
  const Node& entry_node = entry == nullptr ? node : *entry->value;
  if (options_.entry.empty()) {
    CROQ_ASSIGN(problem_.entry, ReadString(tree_, entry_node, "entry"));
  } else {
    problem_.entry = options_.entry;
  }
  CROQ_ASSIGN(const Node* function,
              Function(problem_.entry, entry_node, options_.entry.empty() ? "entry" : "--entry"));
  CROQ_TRY(ReadTensors(tree_, table_, *function, problem_));
  CROQ_TRY(Reference(*Find("reference")->value));
  CROQ_TRY(Worth());
  CROQ_TRY(Tolerance());
  CROQ_ASSIGN(std::vector<Lever> levers, Levers());
  return ProblemTable{std::move(problem_), std::move(levers)};
}

}  // namespace

Result<std::optional<ProblemTable>> ReadProblemTable(const SyntaxTree& tree,
                                                     const contract::Contract& contract,
                                                     const TableOptions& options) {
  const Node* value = FindModuleValue(tree, kTableName);
  if (value == nullptr) return std::nullopt;
  CROQ_ASSIGN(ProblemTable table, TableReader(tree, contract, options).Read(*value));
  return std::optional(std::move(table));
}

}  // namespace croq::source
