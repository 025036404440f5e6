#include "croq/source/literal.h"

#include <fmt/format.h>

#include <algorithm>

#include "croq/base/suggest.h"

namespace croq::source {
namespace {

/// Visits the statements that the module runs itself: not those inside functions and classes.
template <typename Visit>
void WalkModule(const SyntaxTree& tree, Visit&& visit) {
  Walk(tree.root(), [&](const Node& node) {
    visit(node);
    return !node.Is(Kind::kFunctionDef) && !node.Is(Kind::kAsyncFunctionDef) &&
           !node.Is(Kind::kClassDef) && !node.Is(Kind::kLambda);
  });
}

}  // namespace

tl::unexpected<Error> WrongAt(const SyntaxTree& tree, const Node& node, const std::string& what) {
  return UsageFailure(fmt::format("{}: {}", PlaceOf(tree, node), what));
}

Result<std::vector<DictEntry>> ReadDict(const SyntaxTree& tree, const Node& node,
                                        const std::string& what) {
  if (!node.Is(Kind::kDict)) {
    return WrongAt(tree, node, fmt::format("{} must be a literal dict, {{...}}", what));
  }
  std::vector<const Node*> keys;
  std::vector<const Node*> values;
  for (const Node* child : node.children) {
    if (child->field == Field::kKeys) keys.push_back(child);
    if (child->field == Field::kValues) values.push_back(child);
    if (child->field == Field::kOther) {
      return WrongAt(tree, *child, fmt::format("{} must be written out: ** is not followed", what));
    }
  }
  std::vector<DictEntry> entries;
  for (std::size_t i = 0; i < keys.size() && i < values.size(); ++i) {
    if (!keys[i]->IsString()) {
      return WrongAt(tree, *keys[i], fmt::format("keys of {} must be strings", what));
    }
    if (FindKey(entries, keys[i]->text) != nullptr) {
      return WrongAt(tree, *keys[i], fmt::format("{} has '{}' twice", what, keys[i]->text));
    }
    entries.push_back({keys[i]->text, keys[i], values[i]});
  }
  return entries;
}

Status CheckKeys(const SyntaxTree& tree, const std::vector<DictEntry>& entries,
                 std::span<const std::string> known, const std::string& what) {
  for (const DictEntry& entry : entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    const std::string near = Suggest(entry.key, known);
    std::string list;
    for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
    return WrongAt(tree, *entry.key_node,
                   near.empty()
                       ? fmt::format("{} has no key '{}' (there are {})", what, entry.key, list)
                       : fmt::format("{} has no key '{}'; did you mean '{}'?", what, entry.key, near));
  }
  return {};
}

const DictEntry* FindKey(const std::vector<DictEntry>& entries, std::string_view key) {
  for (const DictEntry& entry : entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

Result<std::string> ReadString(const SyntaxTree& tree, const Node& node, const std::string& what) {
  if (node.IsString()) return std::string(node.text);
  return WrongAt(tree, node, fmt::format("{} must be a string literal", what));
}

Result<std::vector<const Node*>> ReadSequence(const SyntaxTree& tree, const Node& node,
                                              const std::string& what) {
  if (node.Is(Kind::kList) || node.Is(Kind::kTuple)) return node.Children(Field::kElts);
  return WrongAt(tree, node, fmt::format("{} must be a literal list, [...]", what));
}

std::optional<std::int64_t> IntLiteral(const Node& node) {
  if (node.Is(Kind::kConstant) && node.constant == ConstantType::kInt) return node.integer;
  if (node.Is(Kind::kUnaryOp) && node.text == "USub") {
    const std::optional<std::int64_t> value = IntLiteral(*node.Child(Field::kOperand));
    if (value) return -*value;
  }
  return std::nullopt;
}

std::optional<double> RealLiteral(const Node& node) {
  if (node.Is(Kind::kConstant) && node.constant == ConstantType::kFloat) return node.real;
  if (node.Is(Kind::kUnaryOp) && node.text == "USub") {
    const std::optional<double> value = RealLiteral(*node.Child(Field::kOperand));
    if (value) return -*value;
  }
  const std::optional<std::int64_t> whole = IntLiteral(node);
  if (whole) return static_cast<double>(*whole);
  return std::nullopt;
}

const Node* FindFunction(const SyntaxTree& tree, std::string_view name) {
  const Node* found = nullptr;
  WalkModule(tree, [&](const Node& node) {
    if (node.Is(Kind::kFunctionDef) && node.text == name) found = &node;
  });
  return found;
}

std::vector<std::string> FunctionNames(const SyntaxTree& tree) {
  std::vector<std::string> names;
  WalkModule(tree, [&](const Node& node) {
    if (node.Is(Kind::kFunctionDef)) names.emplace_back(node.text);
  });
  return names;
}

const Node* FindModuleValue(const SyntaxTree& tree, std::string_view name) {
  const Node* found = nullptr;
  for (const Node* statement : tree.root().children) {
    const bool annotated = statement->Is(Kind::kAnnAssign);
    if (!annotated && !statement->Is(Kind::kAssign)) continue;
    for (const Node* target : statement->Children(annotated ? Field::kTarget : Field::kTargets)) {
      if (target->Is(Kind::kName) && target->text == name) found = statement->Child(Field::kValue);
    }
  }
  return found;
}

const FunctionParameter* FunctionSignature::Find(std::string_view name) const {
  for (const FunctionParameter& parameter : parameters) {
    if (parameter.name == name) return &parameter;
  }
  return nullptr;
}

std::vector<std::string> FunctionSignature::Names() const {
  std::vector<std::string> names;
  for (const FunctionParameter& parameter : parameters) names.emplace_back(parameter.name);
  return names;
}

FunctionSignature SignatureOf(const Node& function) {
  FunctionSignature signature;
  const Node* arguments = function.Child(Field::kArgs);
  if (arguments == nullptr) return signature;
  std::vector<FunctionParameter>& list = signature.parameters;
  for (const Node* one : arguments->Children(Field::kPosOnlyArgs)) {
    list.push_back({one->text, true, true});
  }
  for (const Node* one : arguments->Children(Field::kArgs)) list.push_back({one->text, false, true});
  // Defaults belong to the last of the positional parameters.
  const std::size_t defaults = arguments->Children(Field::kDefaults).size();
  for (std::size_t i = 0; i < defaults && i < list.size(); ++i) {
    list[list.size() - 1 - i].required = false;
  }
  const std::vector<const Node*> keyword_only = arguments->Children(Field::kKwOnlyArgs);
  // kw_defaults has a hole for each parameter without one, which a list of nodes can't show: a
  // default is the one that lies behind its parameter and before the next.
  const std::vector<const Node*> kw_defaults = arguments->Children(Field::kKwDefaults);
  const auto before = [](const Node& a, const Node& b) {
    return std::pair(a.span.line, a.span.column) < std::pair(b.span.line, b.span.column);
  };
  for (std::size_t i = 0; i < keyword_only.size(); ++i) {
    const bool has_default =
        std::any_of(kw_defaults.begin(), kw_defaults.end(), [&](const Node* value) {
          return before(*keyword_only[i], *value) &&
                 (i + 1 == keyword_only.size() || before(*value, *keyword_only[i + 1]));
        });
    list.push_back({keyword_only[i]->text, false, !has_default});
  }
  signature.takes_any_name = arguments->Child(Field::kKwArg) != nullptr;
  return signature;
}

}  // namespace croq::source
