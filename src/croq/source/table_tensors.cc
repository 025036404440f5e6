#include "croq/source/table_tensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "croq/base/suggest.h"
#include "croq/source/formula.h"
#include "croq/source/table_values.h"

namespace croq::source {
namespace {

// Elements of one tensor: 2^40 is far beyond any device's memory and far below overflow.
constexpr std::int64_t kMostElements = std::int64_t{1} << 40;

const std::vector<std::string> kTensorKeys{"shape", "dtype", "distribution"};
const std::vector<std::string> kOutputKeys{"shape", "dtype"};

/// Reads tensors and arguments of one table.
class TensorReader {
 public:
  TensorReader(const SyntaxTree& tree, const Node& entry, Problem& problem)
      : tree_(tree), entry_(entry), signature_(SignatureOf(entry)), problem_(problem) {}

  Status Inputs(const DictEntry& inputs);
  Status InOut(const DictEntry& inout);
  Status Outputs(const DictEntry& outputs);
  Status CheckComplete();

 private:
  Status CheckParameter(const DictEntry& entry) const;
  Status Argument(const DictEntry& entry, TensorRole role);
  Result<TensorSpec> Tensor(const DictEntry& entry, TensorRole role) const;
  Result<std::vector<std::int64_t>> Shape(const DictEntry& tensor, const Node& node) const;
  Result<EntryArgument> Literal(const DictEntry& entry) const;
  bool Given(std::string_view name) const;

  const SyntaxTree& tree_;
  const Node& entry_;
  FunctionSignature signature_;
  Problem& problem_;
};

bool TensorReader::Given(std::string_view name) const {
  return std::any_of(problem_.arguments.begin(), problem_.arguments.end(),
                     [&](const EntryArgument& argument) { return argument.name == name; });
}

Status TensorReader::CheckParameter(const DictEntry& entry) const {
  const FunctionParameter* parameter = signature_.Find(entry.key);
  if (parameter != nullptr && parameter->positional_only) {
    return WrongAt(tree_, *entry.key_node,
                   fmt::format("parameter {} of {} is positional-only; arguments are passed by name",
                               entry.key, problem_.entry));
  }
  if (parameter != nullptr || signature_.takes_any_name) return {};
  const std::vector<std::string> names = signature_.Names();
  const std::string near = Suggest(entry.key, names);
  return WrongAt(tree_, *entry.key_node,
                 fmt::format("{} has no parameter '{}'{}", problem_.entry, entry.key,
                             near.empty() ? fmt::format(" (it takes {})", fmt::join(names, ", "))
                                          : fmt::format("; did you mean '{}'?", near)));
}

Result<std::vector<std::int64_t>> TensorReader::Shape(const DictEntry& tensor,
                                                      const Node& node) const {
  CROQ_ASSIGN(const std::vector<const Node*> parts,
              ReadSequence(tree_, node, fmt::format("the shape of {}", tensor.key)));
  std::vector<std::int64_t> shape;
  double elements = 1;
  for (const Node* part : parts) {
    const std::string_view text = part->IsString() ? part->text : tree_.Text(*part);
    const Result<FormulaValue> value = Evaluate(text, problem_.key.dimensions);
    if (!value) {
      return WrongAt(tree_, *part, fmt::format("the shape of {}: {}", tensor.key,
                                               value.error().message));
    }
    const auto* length = std::get_if<std::int64_t>(&*value);
    if (length == nullptr || *length < 1) {
      return WrongAt(tree_, *part,
                     fmt::format("the shape of {}: '{}' gives {}, not a whole number of at least 1 "
                                 "(// divides to whole numbers)", tensor.key, text, RealOf(*value)));
    }
    shape.push_back(*length);
    elements *= static_cast<double>(*length);
  }
  if (elements > static_cast<double>(kMostElements)) {
    return WrongAt(tree_, node, fmt::format("{} would have {:.0f} elements; choose smaller dims",
                                            tensor.key, elements));
  }
  return shape;
}

Result<TensorSpec> TensorReader::Tensor(const DictEntry& entry, TensorRole role) const {
  const std::string what = fmt::format("tensor {}", entry.key);
  CROQ_ASSIGN(const std::vector<DictEntry> fields, ReadDict(tree_, *entry.value, what));
  CROQ_TRY(CheckKeys(tree_, fields, role == TensorRole::kOutput ? kOutputKeys : kTensorKeys, what));
  TensorSpec tensor;
  tensor.name = entry.key;
  tensor.role = role;
  const DictEntry* shape = FindKey(fields, "shape");
  const DictEntry* dtype = FindKey(fields, "dtype");
  if (shape == nullptr || dtype == nullptr) {
    return WrongAt(tree_, *entry.value,
                   fmt::format("tensor {} needs {}", entry.key,
                               shape == nullptr ? "\"shape\": [...]" : "\"dtype\": \"float16\""));
  }
  CROQ_ASSIGN(tensor.shape, Shape(entry, *shape->value));
  CROQ_ASSIGN(const std::string name, ReadString(tree_, *dtype->value, what + "'s dtype"));
  const std::optional<std::string_view> element = ElementOf(name);
  if (!element) {
    const std::vector<std::string> known = TorchElements();
    const std::string near = Suggest(name, known);
    return WrongAt(tree_, *dtype->value,
                   near.empty() ? fmt::format("'{}' is no dtype (there are {})", name,
                                              fmt::join(known, ", "))
                                : fmt::format("'{}' is no dtype; did you mean '{}'?", name, near));
  }
  tensor.element = *element;
  const DictEntry* distribution = FindKey(fields, "distribution");
  if (distribution != nullptr) {
    CROQ_TRY(ReadDistribution(tree_, *distribution->value, problem_.key.dimensions, tensor));
  } else if (!IsFloatElement(tensor.element) && role != TensorRole::kOutput) {
    return WrongAt(tree_, *entry.value,
                   fmt::format("tensor {} holds whole numbers: say which, \"distribution\": "
                               "[\"integer\", lowest, highest] or [\"arange\", start, step]",
                               entry.key));
  }
  return tensor;
}

Result<EntryArgument> TensorReader::Literal(const DictEntry& entry) const {
  const Node& node = *entry.value;
  EntryArgument argument{std::string(entry.key), std::monostate{}};
  const std::optional<std::int64_t> whole = IntLiteral(node);
  if (whole) {
    argument.value = *whole;
    return argument;
  }
  const std::optional<double> real = RealLiteral(node);
  if (real) {
    argument.value = *real;
    return argument;
  }
  if (node.IsString()) {
    argument.value = std::string(node.text);
    return argument;
  }
  if (node.Is(Kind::kConstant) && node.constant == ConstantType::kBool) {
    argument.value = node.integer != 0;
    return argument;
  }
  if (node.Is(Kind::kConstant) && node.constant == ConstantType::kNone) return argument;
  return WrongAt(tree_, node,
                 fmt::format("input {} is neither a tensor ({{\"shape\": [...], \"dtype\": ...}}), a "
                             "literal, nor {{\"value\": \"M*N\"}}", entry.key));
}

Status TensorReader::Argument(const DictEntry& entry, TensorRole role) {
  CROQ_TRY(CheckParameter(entry));
  if (Given(entry.key)) {
    return WrongAt(tree_, *entry.key_node, fmt::format("{} is given twice", entry.key));
  }
  if (!entry.value->Is(Kind::kDict)) {
    CROQ_ASSIGN(EntryArgument argument, Literal(entry));
    problem_.arguments.push_back(std::move(argument));
    return {};
  }
  CROQ_ASSIGN(const std::vector<DictEntry> fields,
              ReadDict(tree_, *entry.value, fmt::format("input {}", entry.key)));
  if (fields.size() == 1 && fields.front().key == "value") {
    const Node& node = *fields.front().value;
    const Result<FormulaValue> value =
        Evaluate(node.IsString() ? node.text : tree_.Text(node), problem_.key.dimensions);
    if (!value) return WrongAt(tree_, node, value.error().message);
    EntryArgument argument{std::string(entry.key), std::monostate{}};
    std::visit([&](auto number) { argument.value = number; }, *value);
    problem_.arguments.push_back(std::move(argument));
    return {};
  }
  CROQ_ASSIGN(TensorSpec tensor, Tensor(entry, role));
  problem_.arguments.push_back({tensor.name, problem_.tensors.size()});
  problem_.tensors.push_back(std::move(tensor));
  return {};
}

Status TensorReader::Inputs(const DictEntry& inputs) {
  CROQ_ASSIGN(const std::vector<DictEntry> entries, ReadDict(tree_, *inputs.value, "inputs"));
  for (const DictEntry& entry : entries) CROQ_TRY(Argument(entry, TensorRole::kInput));
  return {};
}

Status TensorReader::InOut(const DictEntry& inout) {
  if (inout.value->Is(Kind::kDict)) {
    CROQ_ASSIGN(const std::vector<DictEntry> entries, ReadDict(tree_, *inout.value, "inout"));
    for (const DictEntry& entry : entries) {
      if (!entry.value->Is(Kind::kDict)) {
        return WrongAt(tree_, *entry.value,
                       fmt::format("inout {} must be a tensor, {{\"shape\": [...], ...}}", entry.key));
      }
      CROQ_TRY(Argument(entry, TensorRole::kInOut));
    }
    return {};
  }
  CROQ_ASSIGN(const std::vector<const Node*> names, ReadSequence(tree_, *inout.value, "inout"));
  for (const Node* node : names) {
    CROQ_ASSIGN(const std::string name, ReadString(tree_, *node, "a name in inout"));
    const auto found = std::find_if(problem_.tensors.begin(), problem_.tensors.end(),
                                    [&](const TensorSpec& tensor) { return tensor.name == name; });
    if (found == problem_.tensors.end()) {
      return WrongAt(tree_, *node, fmt::format("'{}' is no tensor of inputs", name));
    }
    found->role = TensorRole::kInOut;
  }
  return {};
}

Status TensorReader::Outputs(const DictEntry& outputs) {
  CROQ_ASSIGN(const std::vector<DictEntry> entries, ReadDict(tree_, *outputs.value, "outputs"));
  for (const DictEntry& entry : entries) {
    if (problem_.Find(entry.key) != nullptr || Given(entry.key)) {
      return WrongAt(tree_, *entry.key_node,
                     fmt::format("{} stands in inputs as well; a tensor that is read and written "
                                 "goes into inout", entry.key));
    }
    CROQ_ASSIGN(TensorSpec tensor, Tensor(entry, TensorRole::kOutput));
    if (signature_.Find(entry.key) != nullptr) {
      CROQ_TRY(CheckParameter(entry));
      problem_.arguments.push_back({tensor.name, problem_.tensors.size()});
    }
    problem_.tensors.push_back(std::move(tensor));
  }
  return {};
}

Status TensorReader::CheckComplete() {
  for (const FunctionParameter& parameter : signature_.parameters) {
    if (!parameter.required || Given(parameter.name)) continue;
    return WrongAt(tree_, entry_,
                   fmt::format("parameter {} of {} has no default and stands neither in inputs, "
                               "inout nor outputs of CROQ", parameter.name, problem_.entry));
  }
  for (const TensorSpec& tensor : problem_.tensors) {
    if (tensor.role != TensorRole::kInput) return {};
  }
  return WrongAt(tree_, entry_, "CROQ names neither outputs nor inout: what does the entry give?");
}

}  // namespace

Status ReadTensors(const SyntaxTree& tree, const std::vector<DictEntry>& table, const Node& entry,
                   Problem& problem) {
  TensorReader reader(tree, entry, problem);
  if (const DictEntry* inputs = FindKey(table, "inputs")) CROQ_TRY(reader.Inputs(*inputs));
  if (const DictEntry* inout = FindKey(table, "inout")) CROQ_TRY(reader.InOut(*inout));
  if (const DictEntry* outputs = FindKey(table, "outputs")) CROQ_TRY(reader.Outputs(*outputs));
  return reader.CheckComplete();
}

}  // namespace croq::source
